import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  ForgotPasswordBody,
  ListQuery,
  LinkPasswordBody,
  LoginBody,
  LoginResponse,
  Message,
  MfaBody,
  MfaOptions,
  MfaOptionsBody,
  PasskeyLoginBody,
  PasskeyRequestOptions,
  PasswordLoginResponse,
  RegisterBody,
  ResetPasswordBody,
  Session,
} from '../types.ts';

/** Registration, login, sessions and the links of emails. */
export interface LoginApi {
  /**
   * Creates an account and sends its verification email.
   * @example
   * await atrium.auth.registerAccount({
   *   name: 'Ada Lovelace',
   *   username: 'ada',
   *   email: 'ada@example.com',
   *   password: 'correct horse battery staple',
   *   birthdate: '1815-12-10',
   *   gender: 'female',
   * });
   */
  registerAccount: (body: RegisterBody, options?: CallOptions) => Promise<Message>;
  /**
   * Logs in. An account with a second factor needs `completeMfaLogin` too.
   * @example
   * const result = await atrium.auth.logIn({ email: 'ada@example.com', password: 'correct horse' });
   * if ('mfaRequired' in result) {
   *   await atrium.auth.completeMfaLogin({ mfaToken: result.mfaToken, code: '123456' });
   * }
   */
  logIn: (body: LoginBody, options?: CallOptions) => Promise<PasswordLoginResponse>;
  /**
   * Returns how the second step of a login can be done.
   * @example
   * const { methods } = await atrium.auth.getMfaLoginOptions({ mfaToken: '…' });
   */
  getMfaLoginOptions: (body: MfaOptionsBody, options?: CallOptions) => Promise<MfaOptions>;
  /**
   * Completes a login with a code, a recovery code or a passkey.
   * @example
   * const { user } = await atrium.auth.completeMfaLogin({ mfaToken: '…', recoveryCode: '…' });
   */
  completeMfaLogin: (body: MfaBody, options?: CallOptions) => Promise<LoginResponse>;
  /**
   * Returns what the browser needs to ask for a passkey.
   * @example
   * const json = await atrium.auth.getPasskeyLoginOptions();
   */
  getPasskeyLoginOptions: (options?: CallOptions) => Promise<PasskeyRequestOptions>;
  /**
   * Logs in with a passkey.
   * @example
   * await atrium.auth.logInWithPasskey({ credential });
   */
  logInWithPasskey: (body: PasskeyLoginBody, options?: CallOptions) => Promise<LoginResponse>;
  /**
   * Ends the session, in all tabs. When it fails the session goes on.
   * @example
   * await atrium.auth.logOut();
   */
  logOut: (options?: CallOptions) => Promise<void>;
  /**
   * Gets a new access token. Calls do it themselves when one is needed.
   * @example
   * await atrium.auth.refreshSession();
   */
  refreshSession: (options?: CallOptions) => Promise<void>;
  /**
   * Lists the active sessions of the account, newest first.
   * @example
   * for await (const { device, current } of atrium.auth.listSessions()) console.log(device, current);
   */
  listSessions: (query?: ListQuery, options?: CallOptions) => List<Session>;
  /**
   * Revokes a session; the one of this browser ends in all tabs.
   * @example
   * await atrium.auth.revokeSession('ses_…');
   */
  revokeSession: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Revokes every session but this one.
   * @example
   * await atrium.auth.revokeOtherSessions();
   */
  revokeOtherSessions: (options?: CallOptions) => Promise<void>;
  /**
   * Sends a link to set a new password.
   * @example
   * await atrium.auth.requestPasswordReset({ email: 'ada@example.com' });
   */
  requestPasswordReset: (body: ForgotPasswordBody, options?: CallOptions) => Promise<Message>;
  /**
   * Sets a new password with the token of an email, ends all sessions, and revokes all applications and tokens.
   * @example
   * await atrium.auth.resetPassword(token, { password: 'a wholly different passphrase' });
   */
  resetPassword: (
    token: string,
    body: ResetPasswordBody,
    options?: CallOptions,
  ) => Promise<Message>;
  /**
   * "This was not me": revokes the access of someone else, with the token of an email.
   * @example
   * const { message } = await atrium.auth.revokeSuspiciousAccess(token);
   */
  revokeSuspiciousAccess: (token: string, options?: CallOptions) => Promise<Message>;
  /**
   * Verifies the email address with the token of an email. Without a session of the account it needs
   * the password; with neither it fails with 403, and the email address gets a link to reset the password.
   * @example
   * await atrium.auth.verifyEmail(token, { password });
   */
  verifyEmail: (token: string, body?: LinkPasswordBody, options?: CallOptions) => Promise<Message>;
  /**
   * Sends the verification email again.
   * @example
   * await atrium.auth.resendVerificationEmail();
   */
  resendVerificationEmail: (options?: CallOptions) => Promise<Message>;
  /**
   * Confirms a new email address with the token that was sent to it. Without a session of the account
   * it needs the password.
   * @example
   * await atrium.auth.confirmEmailChange(token, { password });
   */
  confirmEmailChange: (
    token: string,
    body?: LinkPasswordBody,
    options?: CallOptions,
  ) => Promise<Message>;
}

export const LOGIN_ROUTES: Routes<LoginApi> = {
  registerAccount: 'POST /auth/register body public',
  logIn: 'POST /auth/login body login',
  getMfaLoginOptions: 'POST /auth/mfa/options body public',
  completeMfaLogin: 'POST /auth/mfa body login',
  getPasskeyLoginOptions: 'POST /auth/passkey/options public twice',
  logInWithPasskey: 'POST /auth/passkey body login',
  logOut: 'POST /auth/logout',
  refreshSession: 'POST /auth/refresh',
  listSessions: 'GET /user/sessions list',
  revokeSession: 'DELETE /user/sessions/{id}',
  revokeOtherSessions: 'DELETE /user/sessions',
  requestPasswordReset: 'POST /auth/forgot-password body public',
  resetPassword: 'POST /auth/reset-password/{token} body public',
  revokeSuspiciousAccess: 'POST /auth/not-me/{token} public',
  verifyEmail: 'POST /auth/verify-email/{token} body optional',
  resendVerificationEmail: 'POST /auth/verify-email',
  confirmEmailChange: 'POST /auth/confirm-email/{token} body optional',
};
