import { LOGIN_PROVIDERS_ROUTES, type LoginProvidersApi } from './api/login-providers.ts';
import type { Atrium } from './index.ts';

export type { LoginProvidersApi } from './api/login-providers.ts';

/**
 * For the pages on which people log in with an account at a login provider.
 * @example
 * const { listLoginProviders } = createLoginProviders(atrium);
 * const { data } = await listLoginProviders();
 */
export function createLoginProviders({ callsOf }: Atrium): LoginProvidersApi {
  return callsOf('auth', LOGIN_PROVIDERS_ROUTES);
}
