import type { RequestListener } from 'node:http';
import { listen } from '@atrium/testkit/http-listener';
import * as client from 'openid-client';
import { inputOf, makeAccount, PASSWORD, startTestApp, type TestApp } from '../test-app.ts';

export interface OauthApp extends AsyncDisposable {
  app: TestApp;
  origin: string;
  /** Has another process answer from now on, which has nothing but the database. */
  restart: () => Promise<void>;
}

/** The service at the address that its configuration names. */
export async function startOauthApp(
  overrides: NodeJS.ProcessEnv = {},
  options: { log?: { write(line: string): void } } = {},
): Promise<OauthApp> {
  await using stack = new AsyncDisposableStack();
  let handle: RequestListener = () => undefined;
  const { url } = stack.use(await listen((request, response) => handle(request, response)));
  const env = { AUTH_URL: url, ...overrides };
  const answerFrom = async ({ server }: TestApp) => {
    await server.ready();
    handle = (request, response) => server.routing(request, response);
  };
  const app = stack.use(await startTestApp(env, options));
  await answerFrom(app);
  const opened = stack.move();
  return {
    app,
    origin: url,
    async restart() {
      await answerFrom(opened.use(await startTestApp(env, { ...options, db: app.db })));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** A browser: it keeps cookies for their paths, and follows redirects as long as they stay at the service. */
export function openBrowser(origin: string) {
  const cookies = new Map<string, Cookie>();

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    const of = (wanted: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.split('=')[1];
    const path = of('path') ?? '/';
    const isGone = value === '' || of('max-age') === '0' || /1970/.test(of('expires') ?? '');
    if (isGone) cookies.delete(`${name} ${path}`);
    else cookies.set(`${name} ${path}`, { name, value, path });
  }

  async function send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, origin);
    const fits = ({ path }: Cookie) =>
      path === '/' || url.pathname === path || url.pathname.startsWith(`${path}/`);
    const sent = [...cookies.values()].filter(fits).map(({ name, value }) => `${name}=${value}`);
    const headers = new Headers(init.headers);
    if (sent.length > 0) headers.set('cookie', sent.join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    response.headers.getSetCookie().forEach(keep);
    return response;
  }

  /** @returns where it ends up: an address elsewhere, or the page that was shown */
  async function open(address: string | URL): Promise<URL> {
    let url = new URL(address, origin);
    for (let count = 0; count < 10 && url.origin === new URL(origin).origin; count += 1) {
      const response = await send(url, { headers: { accept: 'text/html' } });
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (location === null) return url;
      url = new URL(location, url);
    }
    return url;
  }

  const post = (path: string, body: object | undefined, token?: string) =>
    send(path, {
      method: 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  return {
    cookies,
    send,
    open,
    post,
    /** Logs in on the page of Atrium. @returns the access token of the page */
    async logIn(username: string, password = PASSWORD): Promise<string> {
      const response = await post('/auth/login', { email: inputOf(username).email, password });
      const { accessToken } = (await response.json()) as { accessToken: string };
      return accessToken;
    },
    /** @returns the access token of the page, when somebody is logged in */
    async refresh(): Promise<string | undefined> {
      const response = await post('/auth/refresh', undefined);
      return ((await response.json()) as { accessToken?: string }).accessToken;
    },
    /** What the page `/authorize/{uid}` does once somebody allows or denies. */
    async answer(uid: string, verb: 'allow' | 'deny', token?: string): Promise<URL> {
      const response = await post(`/auth/authorize/${uid}/${verb}`, undefined, token);
      const body = (await response.json()) as { location?: string; message?: string };
      if (body.location === undefined) throw new Error(`${response.status} ${body.message}`);
      return open(body.location);
    },
  };
}

export type Browser = ReturnType<typeof openBrowser>;

/** The id of an interaction, when the browser shows its page. */
export const uidOf = (page: URL) => /^\/authorize\/([\w-]+)$/.exec(page.pathname)?.[1] ?? '';

/** An account with a verified address. */
export async function makeVerified(app: TestApp, username: string) {
  const account = await makeAccount(app, username);
  const sql = 'UPDATE accounts SET email_verified_at = now() WHERE id = $1';
  await app.db.query(sql, [account.id]);
  return account;
}

export const CALLBACK = 'https://rp.example/callback';

export interface MadeApplication {
  id: string;
  secret: string;
}

export async function makeApplication(
  app: TestApp,
  token: string,
  changes: object = {},
): Promise<MadeApplication> {
  const answer = await app.call('POST', '/applications', {
    token,
    body: {
      kind: 'web',
      name: 'Reading list',
      redirectUrls: [CALLBACK],
      scopes: ['notes:read', 'account:read'],
      password: PASSWORD,
      ...changes,
    },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { id: String(answer.body['id']), secret: String(answer.body['secret']) };
}

/** A relying party on `openid-client`. Applications without a secret are public clients. */
export async function relyingParty(
  origin: string,
  { id, secret }: { id: string; secret?: string },
  metadata: Partial<client.ClientMetadata> = {},
): Promise<client.Configuration> {
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  const execute = [client.allowInsecureRequests];
  return client.discovery(new URL(origin), id, metadata, authentication, { execute });
}

/** Begins a login with PKCE, state and nonce. */
export async function beginLogin(
  config: client.Configuration,
  parameters: Record<string, string> = {},
) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  });
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  return {
    url,
    checks,
    finish: (page: URL) => client.authorizationCodeGrant(config, page, checks),
  };
}

/** Goes through a whole login, allowing what is asked. */
export async function logInTo(
  config: client.Configuration,
  browser: Browser,
  username: string,
  parameters: Record<string, string> = {},
) {
  const login = await beginLogin(config, parameters);
  let page = await browser.open(login.url);
  if (uidOf(page) !== '') {
    const token = (await browser.refresh()) ?? (await browser.logIn(username));
    page = await browser.answer(uidOf(page), 'allow', token);
  }
  return login.finish(page);
}
