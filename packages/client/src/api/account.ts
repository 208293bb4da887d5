import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  AccountPlan,
  AccountSettings,
  AuditEvent,
  AuditQuery,
  ChangeEmailBody,
  ChangePasswordBody,
  CurrentUser,
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  DeletionScheduled,
  DeletionState,
  ExportState,
  FileContent,
  JsonWebKeySet,
  Message,
  OwnerProof,
  PersonalTokens,
  RevokedSessionsPage,
  SetPlanBody,
  UpdateProfileBody,
  UpdateSettingsBody,
  UsersQuery,
  UsersResponse,
} from '../types.ts';

/** The account of the user and its data. */
export interface AccountApi {
  /**
   * Returns the current user.
   * @example
   * const { name, emailVerified } = await atrium.auth.getCurrentUser();
   */
  getCurrentUser: (options?: CallOptions) => Promise<CurrentUser>;
  /**
   * Changes the profile.
   * @example
   * await atrium.auth.updateCurrentUser({ bio: 'Notes on the Analytical Engine' });
   */
  updateCurrentUser: (body: UpdateProfileBody, options?: CallOptions) => Promise<CurrentUser>;
  /**
   * Sets the avatar: a PNG, JPEG or WebP image, of which the service keeps the centre square. It is
   * shown from `user.avatar`.
   * @example
   * const { avatar } = await atrium.auth.uploadAvatar(new Blob([bytes], { type: 'image/png' }));
   */
  uploadAvatar: (image: Blob, options?: CallOptions) => Promise<CurrentUser>;
  /**
   * Returns the public profiles of up to 100 accounts, whose ids are separated by commas.
   * @example
   * const { data } = await atrium.auth.getUsers({ ids: ['usr_…', 'usr_…'].join(',') });
   */
  getUsers: (query: UsersQuery, options?: CallOptions) => Promise<UsersResponse>;
  /**
   * Removes the avatar.
   * @example
   * await atrium.auth.removeAvatar();
   */
  removeAvatar: (options?: CallOptions) => Promise<CurrentUser>;
  /**
   * Schedules the deletion of the account; until then `restoreCurrentUser` keeps it.
   * @example
   * const { erasesAt } = await atrium.auth.deleteCurrentUser({ password: 'correct horse' });
   */
  deleteCurrentUser: (body: OwnerProof, options?: CallOptions) => Promise<DeletionScheduled>;
  /**
   * Returns when the account is to be erased.
   * @example
   * const { erasesAt } = await atrium.auth.getAccountDeletion();
   */
  getAccountDeletion: (options?: CallOptions) => Promise<DeletionState>;
  /**
   * Cancels the deletion of the account.
   * @example
   * await atrium.auth.restoreCurrentUser();
   */
  restoreCurrentUser: (options?: CallOptions) => Promise<Message>;
  /**
   * Returns the settings of the account.
   * @example
   * const { language } = await atrium.auth.getSettings();
   */
  getSettings: (options?: CallOptions) => Promise<AccountSettings>;
  /**
   * Changes settings of the account.
   * @example
   * await atrium.auth.updateSettings({ language: 'de' });
   */
  updateSettings: (body: UpdateSettingsBody, options?: CallOptions) => Promise<AccountSettings>;
  /**
   * Changes the password and ends the other sessions.
   * @example
   * await atrium.auth.changePassword({
   *   currentPassword: 'correct horse battery staple',
   *   newPassword: 'a wholly different passphrase',
   * });
   */
  changePassword: (body: ChangePasswordBody, options?: CallOptions) => Promise<Message>;
  /**
   * Sends a link to a new email address, which confirms it.
   * @example
   * await atrium.auth.requestEmailChange({
   *   email: 'lovelace@example.com',
   *   password: 'correct horse battery staple',
   * });
   */
  requestEmailChange: (body: ChangeEmailBody, options?: CallOptions) => Promise<Message>;
  /**
   * Has the data of the account collected; a link to it comes by email.
   * @example
   * await atrium.auth.requestAccountExport();
   */
  requestAccountExport: (options?: CallOptions) => Promise<Message>;
  /**
   * Returns how far the newest export is.
   * @example
   * const { status, servicesReady, servicesTotal } = await atrium.auth.getAccountExport();
   */
  getAccountExport: (options?: CallOptions) => Promise<ExportState>;
  /**
   * Opens an export with the token of an email: JSON, which may be too large to be read at once.
   * @example
   * const content = await atrium.auth.downloadAccountExport(token);
   * const file = await new Response(content).blob();
   */
  downloadAccountExport: (token: string, options?: CallOptions) => Promise<FileContent>;
  /**
   * Returns the personal access tokens of the account, newest first.
   * @example
   * const { data } = await atrium.auth.listPersonalTokens();
   */
  listPersonalTokens: (options?: CallOptions) => Promise<PersonalTokens>;
  /**
   * Makes a personal access token, which a program sends as bearer; it is shown once.
   * @example
   * const { token } = await atrium.auth.createPersonalToken({
   *   name: 'Nightly backup',
   *   scopes: ['notes:read'],
   *   expiresInDays: 90,
   *   password: 'correct horse battery staple',
   * });
   */
  createPersonalToken: (
    body: CreatePersonalTokenBody,
    options?: CallOptions,
  ) => Promise<CreatedPersonalToken>;
  /**
   * Revokes a personal access token, in every service within two seconds.
   * @example
   * await atrium.auth.revokePersonalToken('pat_…');
   */
  revokePersonalToken: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Lists what happened to the account, newest first.
   * @example
   * for await (const { kind, createdAt } of atrium.auth.listAuditEvents({ category: 'session' })) {
   *   console.log(kind, createdAt);
   * }
   */
  listAuditEvents: (query?: AuditQuery, options?: CallOptions) => List<AuditEvent>;
  /**
   * Returns the plan of the account.
   * @example
   * const { plan } = await atrium.auth.getPlan();
   */
  getPlan: (options?: CallOptions) => Promise<AccountPlan>;
  /**
   * For operators, with the internal secret: sets the plan of an account.
   * @example
   * const headers = { 'x-internal-secret': internalSecret };
   * await atrium.auth.setAccountPlan('usr_…', { plan: 'pro' }, { headers });
   */
  setAccountPlan: (id: string, body: SetPlanBody, options: CallOptions) => Promise<AccountPlan>;
  /**
   * Returns the public keys of access tokens.
   * @example
   * const { keys } = await atrium.auth.getSigningKeys();
   */
  getSigningKeys: (options?: CallOptions) => Promise<JsonWebKeySet>;
  /**
   * For services that verify access tokens: which sessions have been revoked.
   * @example
   * const { sessions, nextCursor } = await atrium.auth.listRevokedSessions();
   */
  listRevokedSessions: (
    query?: { cursor?: string | undefined },
    options?: CallOptions,
  ) => Promise<RevokedSessionsPage>;
}

export const ACCOUNT_ROUTES: Routes<AccountApi> = {
  getCurrentUser: 'GET /user/me user',
  updateCurrentUser: 'PATCH /user/me body user',
  uploadAvatar: 'PUT /user/me/avatar body user',
  getUsers: 'GET /users query',
  removeAvatar: 'DELETE /user/me/avatar user',
  deleteCurrentUser: 'DELETE /user/me body',
  getAccountDeletion: 'GET /user/me/deletion',
  restoreCurrentUser: 'POST /user/me/restore',
  getSettings: 'GET /user/me/settings',
  updateSettings: 'PATCH /user/me/settings body',
  changePassword: 'POST /user/change-password body',
  requestEmailChange: 'POST /user/change-email body',
  requestAccountExport: 'POST /user/export',
  getAccountExport: 'GET /user/export',
  downloadAccountExport: 'GET /user/export/{token} stream',
  listPersonalTokens: 'GET /user/tokens',
  createPersonalToken: 'POST /user/tokens body',
  revokePersonalToken: 'DELETE /user/tokens/{id}',
  listAuditEvents: 'GET /user/audit list',
  getPlan: 'GET /user/plan',
  setAccountPlan: 'PUT /internal/accounts/{id}/plan body public',
  getSigningKeys: 'GET /.well-known/jwks.json public',
  listRevokedSessions: 'GET /internal/revoked-sessions query public',
};
