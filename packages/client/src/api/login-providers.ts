import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  Identities,
  LoginProviders,
  LoginResponse,
  OwnerProof,
  ProviderLocation,
  ProviderLogin,
  ProviderSignUpBody,
  StartProviderLoginBody,
} from '../types.ts';

/** Logging in with an account at a login provider, in browsers. */
export interface LoginProvidersApi {
  /**
   * Lists the providers with which people can log in.
   * @example
   * const { data } = await loginProviders.listLoginProviders();
   */
  listLoginProviders: (options?: CallOptions) => Promise<LoginProviders>;
  /**
   * Begins a login: go on to the location.
   * @example
   * const { location } = await loginProviders.startProviderLogin('google', { returnTo: '/notes' });
   */
  startProviderLogin: (
    id: string,
    body: StartProviderLoginBody,
    options?: CallOptions,
  ) => Promise<ProviderLocation>;
  /**
   * Logs in once the browser has come back, or says what is missing.
   * @example
   * const login = await loginProviders.completeProviderLogin();
   */
  completeProviderLogin: (options?: CallOptions) => Promise<ProviderLogin>;
  /**
   * Creates the account of a new person, and logs in.
   * @example
   * await loginProviders.signUpWithProvider({ name: 'Ada', username: 'ada', birthdate: '1990-05-17', gender: 'other' });
   */
  signUpWithProvider: (body: ProviderSignUpBody, options?: CallOptions) => Promise<LoginResponse>;
  /**
   * Lists with which providers the account is linked.
   * @example
   * const { data, hasPassword } = await loginProviders.listIdentities();
   */
  listIdentities: (options?: CallOptions) => Promise<Identities>;
  /**
   * Begins to link a provider to this account: go on to the location.
   * @example
   * const { location } = await loginProviders.linkProvider('google', { password });
   */
  linkProvider: (id: string, body: OwnerProof, options?: CallOptions) => Promise<ProviderLocation>;
  /**
   * Logs in with this provider no more.
   * @example
   * await loginProviders.unlinkIdentity('idt_…', { password });
   */
  unlinkIdentity: (id: string, body: OwnerProof, options?: CallOptions) => Promise<void>;
}

export const LOGIN_PROVIDERS_ROUTES: Routes<LoginProvidersApi> = {
  listLoginProviders: 'GET /auth/providers public',
  startProviderLogin: 'POST /auth/providers/{id}/start body public',
  completeProviderLogin: 'POST /auth/providers/complete login',
  signUpWithProvider: 'POST /auth/providers/sign-up body login',
  listIdentities: 'GET /user/identities',
  linkProvider: 'POST /auth/providers/{id}/link body',
  unlinkIdentity: 'POST /user/identities/{id}/unlink body',
};
