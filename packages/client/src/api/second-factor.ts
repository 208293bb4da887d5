import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  AddPasskeyBody,
  AddedPasskey,
  ConfirmTotpBody,
  ConfirmedTotp,
  ListQuery,
  Message,
  MfaOptions,
  OwnerProof,
  Passkey,
  PasskeyCreationOptions,
  RecoveryCodes,
  RenamePasskeyBody,
  SecondFactor,
  TotpSetup,
} from '../types.ts';

/** Authenticator app, passkeys and recovery codes. Changes need the password again. */
export interface SecondFactorApi {
  /**
   * Returns which second factors are on.
   * @example
   * const { totp, passkeys, recoveryCodesLeft } = await atrium.auth.getSecondFactors();
   */
  getSecondFactors: (options?: CallOptions) => Promise<SecondFactor>;
  /**
   * Returns how the second factor can be proved before a change.
   * @example
   * const { methods } = await atrium.auth.getReauthenticationOptions();
   */
  getReauthenticationOptions: (options?: CallOptions) => Promise<MfaOptions>;
  /**
   * Replaces the recovery codes.
   * @example
   * const { recoveryCodes } = await atrium.auth.renewRecoveryCodes({ password, code: '123456' });
   */
  renewRecoveryCodes: (body: OwnerProof, options?: CallOptions) => Promise<RecoveryCodes>;
  /**
   * Starts to set up an authenticator app.
   * @example
   * const { qrCode, secret } = await atrium.auth.startTotpSetup({ password });
   */
  startTotpSetup: (body: OwnerProof, options?: CallOptions) => Promise<TotpSetup>;
  /**
   * Turns the authenticator app on with its first code.
   * @example
   * const { recoveryCodes } = await atrium.auth.confirmTotpSetup({ code: '123456' });
   */
  confirmTotpSetup: (body: ConfirmTotpBody, options?: CallOptions) => Promise<ConfirmedTotp>;
  /**
   * Turns the authenticator app off.
   * @example
   * await atrium.auth.removeTotp({ password, code: '123456' });
   */
  removeTotp: (body: OwnerProof, options?: CallOptions) => Promise<Message>;
  /**
   * Returns what the browser needs to create a passkey.
   * @example
   * const json = await atrium.auth.startPasskeyRegistration({ password });
   */
  startPasskeyRegistration: (
    body: OwnerProof,
    options?: CallOptions,
  ) => Promise<PasskeyCreationOptions>;
  /**
   * Adds the passkey that the browser has created.
   * @example
   * await atrium.auth.addPasskey({ name: 'Laptop', credential: registration });
   */
  addPasskey: (body: AddPasskeyBody, options?: CallOptions) => Promise<AddedPasskey>;
  /**
   * Lists the passkeys.
   * @example
   * for await (const { name, lastUsedAt } of atrium.auth.listPasskeys()) console.log(name, lastUsedAt);
   */
  listPasskeys: (query?: ListQuery, options?: CallOptions) => List<Passkey>;
  /**
   * Renames a passkey.
   * @example
   * await atrium.auth.renamePasskey('psk_…', { name: 'Work laptop' });
   */
  renamePasskey: (id: string, body: RenamePasskeyBody, options?: CallOptions) => Promise<Passkey>;
  /**
   * Removes a passkey.
   * @example
   * await atrium.auth.removePasskey('psk_…', { password, code: '123456' });
   */
  removePasskey: (id: string, body: OwnerProof, options?: CallOptions) => Promise<Message>;
}

export const SECOND_FACTOR_ROUTES: Routes<SecondFactorApi> = {
  getSecondFactors: 'GET /user/second-factor',
  getReauthenticationOptions: 'POST /user/second-factor/options twice',
  renewRecoveryCodes: 'POST /user/second-factor/recovery-codes body',
  startTotpSetup: 'POST /user/second-factor/totp body',
  confirmTotpSetup: 'POST /user/second-factor/totp/confirm body',
  removeTotp: 'POST /user/second-factor/totp/remove body',
  startPasskeyRegistration: 'POST /user/passkeys/options body',
  addPasskey: 'POST /user/passkeys body',
  listPasskeys: 'GET /user/passkeys list',
  renamePasskey: 'PATCH /user/passkeys/{id} body',
  removePasskey: 'POST /user/passkeys/{id}/remove body',
};
