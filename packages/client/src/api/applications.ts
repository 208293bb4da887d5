import { DEVICE_LOGIN_ROUTES, type DeviceLoginApi } from './device-login.ts';
import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  AddedSecret,
  Application,
  Applications,
  AuthorizationAnswer,
  AuthorizationRequest,
  ChangeApplicationBody,
  CreateApplicationBody,
  CreatedApplication,
  Grant,
  ListQuery,
  OwnerProof,
} from '../types.ts';

/** Applications that people log in to with Atrium, and what people allow them. */
export interface ApplicationsApi extends DeviceLoginApi {
  /**
   * Returns the applications of the account, newest first.
   * @example
   * const { data, limit } = await applications.listApplications();
   */
  listApplications: (options?: CallOptions) => Promise<Applications>;
  /**
   * Registers an application; its secret is shown once.
   * @example
   * const { id, secret } = await applications.createApplication({
   *   kind: 'web',
   *   name: 'Reading list',
   *   redirectUrls: ['https://reading.example/callback'],
   *   password: 'correct horse battery staple',
   * });
   */
  createApplication: (
    body: CreateApplicationBody,
    options?: CallOptions,
  ) => Promise<CreatedApplication>;
  /**
   * Returns an application.
   * @example
   * const { redirectUrls } = await applications.getApplication('app_…');
   */
  getApplication: (id: string, options?: CallOptions) => Promise<Application>;
  /**
   * Changes an application. Where it sends people and what it may ask for change only with the password of its owner.
   * @example
   * await applications.changeApplication('app_…', { homePage: 'https://reading.example' });
   */
  changeApplication: (
    id: string,
    body: ChangeApplicationBody,
    options?: CallOptions,
  ) => Promise<Application>;
  /**
   * Sets the logo: a PNG, JPEG or WebP image, of which the service keeps the centre square.
   * @example
   * const png = new Blob([bytes], { type: 'image/png' });
   * const { logo } = await applications.uploadApplicationLogo('app_…', png);
   */
  uploadApplicationLogo: (id: string, image: Blob, options?: CallOptions) => Promise<Application>;
  /**
   * Removes the logo.
   * @example
   * await applications.removeApplicationLogo('app_…');
   */
  removeApplicationLogo: (id: string, options?: CallOptions) => Promise<Application>;
  /**
   * Deletes an application and ends its tokens.
   * @example
   * await applications.deleteApplication('app_…');
   */
  deleteApplication: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Makes another secret, of at most two, so that the old one can be replaced.
   * @example
   * const { secret } = await applications.addApplicationSecret('app_…', { password });
   */
  addApplicationSecret: (
    id: string,
    body: OwnerProof,
    options?: CallOptions,
  ) => Promise<AddedSecret>;
  /**
   * Removes a secret.
   * @example
   * await applications.removeApplicationSecret('app_…', 'sct_…');
   */
  removeApplicationSecret: (id: string, secretId: string, options?: CallOptions) => Promise<void>;
  /**
   * Returns which application asks for a login, and of which account, on the page `/authorize/{uid}`.
   * @example
   * const { application, newScopes } = await applications.getAuthorizationRequest('hH4fV2x');
   */
  getAuthorizationRequest: (uid: string, options?: CallOptions) => Promise<AuthorizationRequest>;
  /**
   * Allows what the application asks for; the page then goes on to the location.
   * @example
   * const { location } = await applications.allowAuthorization('hH4fV2x');
   */
  allowAuthorization: (uid: string, options?: CallOptions) => Promise<AuthorizationAnswer>;
  /**
   * Goes back to the application without logging in.
   * @example
   * const { location } = await applications.denyAuthorization('hH4fV2x');
   */
  denyAuthorization: (uid: string, options?: CallOptions) => Promise<AuthorizationAnswer>;
  /**
   * Lists what the account has allowed applications, newest first.
   * @example
   * for await (const { application, scopes } of applications.listGrants()) {
   *   console.log(application.name, scopes);
   * }
   */
  listGrants: (query?: ListQuery, options?: CallOptions) => List<Grant>;
  /**
   * Takes back what an application may do, in every service within two seconds.
   * @example
   * await applications.revokeGrant('cns_…');
   */
  revokeGrant: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Logs out a device that was logged in by its code.
   * @example
   * await applications.logOutDevice('gnt_…');
   */
  logOutDevice: (id: string, options?: CallOptions) => Promise<void>;
}

export const APPLICATIONS_ROUTES: Routes<ApplicationsApi> = {
  ...DEVICE_LOGIN_ROUTES,
  listApplications: 'GET /applications',
  createApplication: 'POST /applications body',
  getApplication: 'GET /applications/{id}',
  changeApplication: 'PATCH /applications/{id} body',
  uploadApplicationLogo: 'PUT /applications/{id}/logo body',
  removeApplicationLogo: 'DELETE /applications/{id}/logo',
  deleteApplication: 'DELETE /applications/{id}',
  addApplicationSecret: 'POST /applications/{id}/secrets body',
  removeApplicationSecret: 'DELETE /applications/{id}/secrets/{secretId}',
  getAuthorizationRequest: 'GET /auth/authorize/{uid}/request public',
  allowAuthorization: 'POST /auth/authorize/{uid}/allow',
  denyAuthorization: 'POST /auth/authorize/{uid}/deny public',
  listGrants: 'GET /user/grants list',
  revokeGrant: 'DELETE /user/grants/{id}',
  logOutDevice: 'DELETE /user/devices/{id}',
};
