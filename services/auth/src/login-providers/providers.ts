import { notFound, unavailable } from '@atrium/service-kit/http-error';
import type { Logger } from '@atrium/service-kit/logger';
import type { LoginProvider } from '../login-providers-config.ts';
import {
  type Checks,
  createProviderClient,
  type ProvidedPerson,
  type ProviderClient,
} from './provider-client.ts';

const RETRY_AFTER_SECONDS = 5;

/** The providers that people can log in with. */
export interface KnownProviders {
  list(): { id: string; name: string; emailDomains: string[] }[];
  /** As `providerName`. */
  nameOf(id: string): string;
  /** @throws HttpError 404, or 503 when the provider cannot be reached */
  begin(id: string): ReturnType<ProviderClient['begin']>;
  finish(id: string, answer: URL, checks: Checks): Promise<ProvidedPerson>;
}

/** @returns the name, or the id of one that is not configured any more */
export function providerName(configured: readonly LoginProvider[], id: string): string {
  return configured.find((provider) => provider.id === id)?.name ?? id;
}

/** @param authUrl the public URL of this service: the providers send people back to it */
export function createProviders(
  configured: readonly LoginProvider[],
  authUrl: string,
  logger: Logger,
): KnownProviders {
  const base = authUrl.replace(/\/$/, '');
  const byId = new Map(
    configured.map((provider) => {
      const redirectUrl = `${base}/auth/providers/${provider.id}/callback`;
      return [provider.id, { ...provider, client: createProviderClient(provider, redirectUrl) }];
    }),
  );
  function find(id: string) {
    const found = byId.get(id);
    if (found === undefined) throw notFound('Login provider');
    return found;
  }
  return {
    list: () => configured.map(({ id, name, emailDomains = [] }) => ({ id, name, emailDomains })),
    nameOf: (id) => providerName(configured, id),
    async begin(id) {
      const { name, client } = find(id);
      try {
        return await client.begin();
      } catch (error) {
        logger.warn({ err: error, provider: id }, 'a login provider cannot be reached');
        throw unavailable(`${name} cannot be reached`, RETRY_AFTER_SECONDS);
      }
    },
    finish: async (id, answer, checks) => find(id).client.finish(answer, checks),
  };
}
