import { listen } from '@atrium/testkit/http-listener';
import { startProviderElsewhere } from '@atrium/testkit/login-provider';
import { type Browser, openBrowser, startOauthApp } from '../oauth/oauth.fixture.ts';
import { PASSWORD } from '../test-app.ts';

/** GitHub, as far as it is asked. */
async function startGitHub() {
  const emails = [{ email: 'octo@cat.example', primary: true, verified: true }];
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const answers: Record<string, unknown> = {
      '/login/oauth/access_token': { access_token: 'gho_x', token_type: 'bearer', scope: '' },
      '/api/user': { id: 7, login: 'octocat', name: null },
      '/api/user/emails': emails,
    };
    if (pathname === '/login/oauth/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const state = searchParams.get('state') ?? '';
      back.search = new URLSearchParams({ code: 'x', state }).toString();
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[pathname]));
  });
  return { emails, server };
}

/** The service with two providers that people can log in with. */
export async function startProvidersApp() {
  await using stack = new AsyncDisposableStack();
  const elsewhere = stack.use(await startProviderElsewhere());
  const { emails: gitHubEmails, server: gitHub } = await startGitHub();
  stack.use(gitHub);
  const { issuer, clientId, clientSecret } = elsewhere;
  const LOGIN_PROVIDERS = JSON.stringify([
    { id: 'acme', name: 'Acme', issuer, clientId, clientSecret, emailDomains: ['acme.example'] },
    {
      id: 'github',
      name: 'GitHub',
      kind: 'github',
      clientId: 'x',
      clientSecret: 'y',
      url: gitHub.url,
      apiUrl: `${gitHub.url}/api`,
    },
  ]);
  const started = stack.use(await startOauthApp({ LOGIN_PROVIDERS }));
  const { app, origin } = started;
  elsewhere.register(`${origin}/auth/providers/acme/callback`);

  /** Goes to the provider and comes back. @returns the page that the browser ends up on */
  async function goThrough(browser: Browser, provider = 'acme'): Promise<URL> {
    const { body } = await json(await browser.post(`/auth/providers/${provider}/start`, {}));
    return comeBack(body['location']);

    async function comeBack(location: unknown) {
      const there = openBrowser(new URL(String(location)).origin);
      return browser.open(await there.open(String(location)));
    }
  }

  const complete = async (browser: Browser) =>
    json(await browser.post('/auth/providers/complete', undefined));

  const signUp = async (browser: Browser, username: string) =>
    json(
      await browser.post('/auth/providers/sign-up', {
        name: 'Ada Lovelace',
        username,
        birthdate: '1990-05-17',
        gender: 'female',
      }),
    );

  /** An account of a person who came by the provider, and the browser that is logged in. */
  async function makeProvided(name: string) {
    elsewhere.person = person(name);
    const browser = openBrowser(origin);
    await goThrough(browser);
    const { status, body } = await signUp(browser, name);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { browser, token: String(body['accessToken']), body };
  }

  const identitiesOf = async (token: string) =>
    (await app.call('GET', '/user/identities', { token })).body as {
      data: { id: string; provider: string; label: string }[];
      hasPassword: boolean;
    };

  async function link(browser: Browser, token: string, password = PASSWORD) {
    const begun = await json(await browser.post('/auth/providers/acme/link', { password }, token));
    if (begun.status !== 200) return begun;
    const there = openBrowser(issuer);
    await browser.open(await there.open(String(begun.body['location'])));
    return complete(browser);
  }

  const opened = stack.move();
  return {
    app,
    origin,
    elsewhere,
    gitHubEmails,
    issuer,
    goThrough,
    complete,
    signUp,
    makeProvided,
    identitiesOf,
    link,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A person at Acme. */
export const person = (name: string, changes: object = {}) => ({
  sub: `sub-${name}`,
  email: `${name}@acme.example`,
  email_verified: true,
  name: 'Ada Lovelace',
  ...changes,
});

export async function json(response: Response) {
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
