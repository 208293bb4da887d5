import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { LoginProvider } from '../login-providers-config.ts';
import {
  type Checks,
  createProviderClient,
  type ProvidedPerson,
  type ProviderClient,
} from './provider-client.ts';

/** Whom people can log in with. */
export interface KnownProviders {
  list(): { id: string; name: string; emailDomains: string[] }[];
  /** @returns the name, or the id of one that is not configured any more */
  nameOf(id: string): string;
  /** @throws HttpError 404 */
  begin(id: string): ReturnType<ProviderClient['begin']>;
  finish(id: string, answer: URL, checks: Checks): Promise<ProvidedPerson>;
}

/** @param authUrl the public address of this service: the providers send people back to it */
export function createProviders(
  configured: readonly LoginProvider[],
  authUrl: string,
): KnownProviders {
  const base = authUrl.replace(/\/$/, '');
  const byId = new Map(
    configured.map((provider) => {
      const redirectUrl = `${base}/auth/providers/${provider.id}/callback`;
      return [provider.id, { ...provider, client: createProviderClient(provider, redirectUrl) }];
    }),
  );
  function find(id: string): ProviderClient {
    const found = byId.get(id);
    if (found === undefined) throw notFound('Login provider');
    return found.client;
  }
  return {
    list: () => configured.map(({ id, name, emailDomains = [] }) => ({ id, name, emailDomains })),
    nameOf: (id) => byId.get(id)?.name ?? id,
    begin: async (id) => find(id).begin(),
    finish: async (id, answer, checks) => find(id).finish(answer, checks),
  };
}

/** Who the browser was sent back as. @throws HttpError 401 */
export function expired(): HttpError {
  return new HttpError('provider-login-expired');
}
