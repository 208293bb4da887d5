import { readFileSync } from 'node:fs';
import { ConfigError } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { isLoopbackUrl } from './loopback.ts';

const common = {
  id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
  name: Type.String({ minLength: 1, maxLength: 60 }),
  clientId: Type.String({ minLength: 1, maxLength: 200 }),
  /** One of the two. */
  clientSecret: Type.Optional(Type.String({ minLength: 1 })),
  clientSecretFile: Type.Optional(Type.String({ minLength: 1 })),
  emailDomains: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }))),
};
const strict = { additionalProperties: false };

const OidcProvider = Type.Object(
  {
    ...common,
    issuer: Type.String({ minLength: 1 }),
    scope: Type.Optional(Type.String({ minLength: 1 })),
    /** For a company that gives its people their email addresses and does not say that they are verified. */
    trustsEmails: Type.Optional(Type.Boolean()),
  },
  strict,
);
const GitHubProvider = Type.Object(
  {
    ...common,
    kind: Type.Literal('github'),
    /** The URL of a GitHub Enterprise server, and that of its API. */
    url: Type.Optional(Type.String({ minLength: 1 })),
    apiUrl: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
);
const Providers = Type.Array(Type.Union([OidcProvider, GitHubProvider]), { maxItems: 20 });

export type LoginProvider = Static<typeof Providers>[number] & { clientSecret: string };

/**
 * `LOGIN_PROVIDERS`: the providers that people can log in with, as a JSON array.
 *
 * @throws ConfigError without any secret in it
 */
export function parseLoginProviders(text: string | undefined): LoginProvider[] {
  if (text === undefined) return [];
  const value = parseJson(text);
  if (!Value.Check(Providers, value)) {
    const [fault] = Value.Errors(Providers, value);
    throw faulty(`${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
  }
  const ids = new Set(value.map(({ id }) => id));
  if (ids.size < value.length) throw faulty('has two providers with one id');
  return value.map((provider) => {
    for (const url of urlsOf(provider)) checkUrl(provider.id, url);
    return { ...provider, clientSecret: secretOf(provider) };
  });
}

const urlsOf = (provider: Static<typeof Providers>[number]) =>
  'issuer' in provider
    ? [provider.issuer]
    : [provider.url, provider.apiUrl].flatMap((u) => u ?? []);

function checkUrl(id: string, text: string): void {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'https:' || isLoopbackUrl(url))) return;
  throw faulty(`${id}: ${text} must begin with https`);
}

function secretOf({ id, clientSecret, clientSecretFile }: Static<typeof Providers>[number]) {
  if (clientSecret !== undefined && clientSecretFile === undefined) return clientSecret;
  if (clientSecret !== undefined || clientSecretFile === undefined) {
    throw faulty(`${id} needs clientSecret or clientSecretFile`);
  }
  try {
    return readFileSync(clientSecretFile, 'utf8').trim();
  } catch {
    throw faulty(`${id}: clientSecretFile cannot be read`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw faulty('is not JSON');
  }
}

const faulty = (why: string) => new ConfigError([`LOGIN_PROVIDERS ${why}`]);
