import * as client from 'openid-client';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { LoginProvider } from '../login-providers-config.ts';

const TIMEOUT_SECONDS = 5;
const ANSWER_MAX_BYTES = 256 * 1024;
const CLOCK_TOLERANCE_SECONDS = 60;
const OIDC_SCOPE = 'openid profile email';
const GITHUB_SCOPE = 'read:user user:email';

/** What a browser must bring back with the answer of the provider. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person as the provider describes them. */
export interface ProvidedPerson {
  subject: string;
  email: string | null;
  /** Whether the provider says that the email address is theirs. */
  isEmailVerified: boolean;
  name: string;
}

export interface ProviderClient {
  /** @throws Error when the provider cannot be reached */
  begin(): Promise<{ url: URL; checks: Checks }>;
  /** @throws Error when the answer is not one to these checks, or the provider refuses it */
  finish(answer: URL, checks: Checks): Promise<ProvidedPerson>;
}

/** @param redirectUrl as it is registered at the provider */
export function createProviderClient(provider: LoginProvider, redirectUrl: string): ProviderClient {
  const isGitHub = 'kind' in provider;
  let found: Promise<client.Configuration> | undefined;

  /** Once it has answered, what it says of itself is kept. */
  function configuration() {
    found ??= (isGitHub ? Promise.resolve(gitHub(provider)) : discover(provider)).catch((error) => {
      found = undefined;
      throw error;
    });
    return found;
  }

  return {
    async begin() {
      const config = await configuration();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        scope: isGitHub ? GITHUB_SCOPE : (provider.scope ?? OIDC_SCOPE),
        state: checks.state,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(isGitHub ? {} : { nonce: checks.nonce }),
      });
      return { url, checks };
    },
    async finish(answer, { state, nonce, verifier }) {
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, answer, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(isGitHub ? {} : { expectedNonce: nonce, idTokenExpected: true }),
      });
      return bounded(
        isGitHub
          ? await personOfGitHub(config, provider, tokens.access_token)
          : await personOf(config, tokens, provider.trustsEmails === true),
      );
    },
  };
}

async function discover(provider: Exclude<LoginProvider, { kind: 'github' }>) {
  const issuer = new URL(provider.issuer);
  return client.discovery(
    issuer,
    provider.clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    client.ClientSecretPost(provider.clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      [client.customFetch]: boundedFetch,
      ...(issuer.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : {}),
    },
  );
}

/** GitHub is no OpenID provider: OAuth 2, and an API that says who the person is. */
function gitHub(provider: Extract<LoginProvider, { kind: 'github' }>): client.Configuration {
  const url = (provider.url ?? 'https://github.com').replace(/\/$/, '');
  const config = new client.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    provider.clientId,
    {},
    client.ClientSecretPost(provider.clientSecret),
  );
  config.timeout = TIMEOUT_SECONDS;
  config[client.customFetch] = boundedFetch;
  if (url.startsWith('http:')) client.allowInsecureRequests(config);
  return config;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

async function personOf(
  config: client.Configuration,
  tokens: Tokens,
  trustsEmails: boolean,
): Promise<ProvidedPerson> {
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider sent no ID token');
  const { sub: subject } = claims;
  const info: Record<string, unknown> =
    claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      ? { ...claims, ...(await client.fetchUserInfo(config, tokens.access_token, subject)) }
      : { ...claims };
  const { email, email_verified: isVerified, name, preferred_username: username } = info;
  return {
    subject,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: isVerified === true || trustsEmails,
    name: typeof name === 'string' ? name : typeof username === 'string' ? username : '',
  };
}

const GitHubUser = Type.Object({
  id: Type.Integer(),
  login: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
});
const GitHubEmails = Type.Array(
  Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() }),
);

async function personOfGitHub(
  config: client.Configuration,
  { apiUrl = 'https://api.github.com' }: Extract<LoginProvider, { kind: 'github' }>,
  token: string,
): Promise<ProvidedPerson> {
  const get = async (path: string): Promise<unknown> => {
    const url = new URL(`${apiUrl.replace(/\/$/, '')}${path}`);
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const answer = await client.fetchProtectedResource(config, token, url, 'GET', null, headers);
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`);
    return answer.json();
  };
  const user = Value.Parse(GitHubUser, await get('/user'));
  const emails = Value.Parse(GitHubEmails, await get('/user/emails'));
  const email = emails.find(({ primary }) => primary);
  return {
    subject: String(user.id),
    email: email?.email ?? null,
    isEmailVerified: email?.verified === true,
    name: user.name ?? user.login,
  };
}

/** The browser keeps it in a cookie, of which it takes 4 KB. @throws Error for a subject that is not one (Core 2) */
function bounded({ subject, email, isEmailVerified, name }: ProvidedPerson): ProvidedPerson {
  if (subject.length > 255)
    throw new Error('The provider sent a subject of more than 255 characters');
  const isStorable = email !== null && email.length <= 254;
  return { subject, email: isStorable ? email : null, isEmailVerified, name: name.slice(0, 100) };
}

/** Fetches within a deadline and with a bounded answer, and follows no redirect. */
const boundedFetch: client.CustomFetch = async (url, options) => {
  const response = await fetch(url, {
    ...options,
    body: (options.body ?? null) as BodyInit | null,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > ANSWER_MAX_BYTES) throw new Error('The provider sent too much');
    parts.push(part);
  }
  const { status, headers } = response;
  return new Response([204, 304].includes(status) ? null : Buffer.concat(parts), {
    status,
    headers,
  });
};
