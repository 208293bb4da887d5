import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { COMMAND_ID } from '../device-login/device.fixture.ts';
import {
  beginLogin,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
} from '../oauth.fixture.ts';

const lines: string[] = [];
const { app, origin, ...started } = await startOauthApp(
  { RATE_LIMITS: 'on', RATE_LIMIT_PER_ADDRESS: '200', TRUST_PROXY: 'true' },
  { log: { write: (line) => void lines.push(line) } },
);
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
const made = await makeApplication(app, owner.accessToken);
const config = await relyingParty(origin, made);

const token = (init: RequestInit = {}) =>
  fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(), ...init });

/** The hash of the script of a page, as its policy names it. */
async function isScriptAllowed(response: Response): Promise<boolean> {
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(await response.text()) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  return response.headers.get('content-security-policy')?.includes(`'sha256-${hash}'`) ?? false;
}

test('what is true of all our routes is true of those of the provider', async () => {
  const response = await token({ headers: { 'x-request-id': 'of-the-caller' } });
  const { headers } = response;
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  expect(headers.get('x-request-id')).toBe('of-the-caller');
  expect(headers.get('ratelimit')).toContain('"address"');
  expect(headers.get('strict-transport-security')).not.toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const line = lines
    .map((each) => JSON.parse(each))
    .find(({ requestId }) => requestId === 'of-the-caller');
  expect(line).toMatchObject({ msg: 'request', route: '/oauth/token', status: 400 });
});

test('a body of another kind is refused', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await token({ body: '{}', headers })).status).toBe(400);
});

test.each(['token', 'introspect', 'revoke', 'par', 'device'])(
  'a form for %s is no longer than a URL may be, whether it says its length or not',
  async (endpoint) => {
    const url = `${origin}/oauth/${endpoint}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (length: number, isChunked: boolean) => {
      const form = new URLSearchParams({ state: 'x'.repeat(length) });
      const body = isChunked ? new Response(form).body : form.toString();
      const init = { method: 'POST', body, headers, duplex: 'half' };
      return fetch(url, init);
    };
    for (const isChunked of [false, true]) {
      expect((await send(8000, isChunked)).status).toBeLessThan(402);
      const refused = await send(9000, isChunked);
      expect([refused.status, refused.headers.get('error-code')]).toEqual([413, 'body-too-large']);
    }
  },
);

test.each([
  ['device', { client_id: COMMAND_ID, scope: 'openid', login_hint: 'a\0b' }],
  ['token', { client_id: 'a\0b', grant_type: 'refresh_token', refresh_token: 'x' }],
])('a form for %s with a character that cannot be stored is refused', async (endpoint, fields) => {
  const body = new URLSearchParams(fields);
  const refused = await fetch(`${origin}/oauth/${endpoint}`, { method: 'POST', body });
  expect([refused.status, await refused.json()]).toEqual([
    422,
    { error: 'Validation Error', message: 'Form contains characters that cannot be stored' },
  ]);
});

test.each(['token', 'introspect', 'revoke', 'par', 'device'])(
  'an error of %s has a message, as every other',
  async (endpoint) => {
    const body = new URLSearchParams({ client_id: 'unknown' });
    const response = await fetch(`${origin}/oauth/${endpoint}`, { method: 'POST', body });
    expect(response.ok).toBe(false);
    const aText = expect.any(String);
    expect(await response.json()).toMatchObject({ error: aText, message: aText });
  },
);

test('its cookies are kept from scripts, other sites and other paths', async () => {
  const { url } = await beginLogin(config);
  const response = await fetch(url, { redirect: 'manual' });
  const lines = response.headers.getSetCookie();
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).toMatch(/; httponly/i);
    expect(line).toMatch(/; secure/i);
    expect(line).toMatch(/; samesite=lax/i);
    expect(line).toMatch(/; path=\/(auth|authorize\/[\w-]+)/i);
  }
});

test('a login and a logout may begin with a form, of which a bounded part is read', async () => {
  const { url } = await beginLogin(config, { ui_locales: 'de en' });
  const post = (body: BodyInit | null) =>
    openBrowser(origin).send(url.pathname, { method: 'POST', body });
  const begun = await post(url.searchParams);
  const location = new URL(begun.headers.get('location') ?? '', origin);
  expect([begun.status, location.pathname]).toEqual([303, '/auth/authorize']);
  expect([...location.searchParams]).toEqual([...url.searchParams]);
  expect((await post(new URLSearchParams({ state: 'x'.repeat(10_000) }))).status).toBe(413);
  expect((await post(JSON.stringify({}))).status).toBe(415);
  const logout = await openBrowser(origin).send('/auth/end-session', { method: 'POST' });
  expect([logout.status, logout.headers.get('location')]).toEqual([303, '/auth/end-session']);
});

test('forms that submit themselves may do so', async () => {
  const nobody = openBrowser(origin);
  expect(await isScriptAllowed(await nobody.send('/auth/end-session'))).toBe(true);
  const browser = openBrowser(origin);
  await logInTo(config, browser, 'owner');
  const { url } = await beginLogin(config, { response_mode: 'form_post' });
  const posted = await browser.send(url);
  expect(await isScriptAllowed(posted)).toBe(true);
});

test('pages of an application may ask for tokens, and no others', async () => {
  const page = await makeApplication(app, owner.accessToken, { kind: 'single-page' });
  const preflight = (from: string) =>
    token({
      method: 'OPTIONS',
      body: null,
      headers: { origin: from, 'access-control-request-method': 'POST' },
    });
  expect((await preflight('https://rp.example')).status).toBe(204);
  const ask = async (from: string, clientId: string) => {
    const body = new URLSearchParams({
      client_id: clientId,
      grant_type: 'refresh_token',
      refresh_token: 'x',
    });
    const response = await token({ body, headers: { origin: from } });
    const allowed = response.headers.get('access-control-allow-origin');
    return [allowed, response.headers.get('access-control-allow-credentials')];
  };
  expect(await ask('https://rp.example', page.id)).toEqual(['https://rp.example', null]);
  expect(await ask('https://evil.example', page.id)).toEqual([null, null]);
  expect(await ask('https://rp.example', made.id)).toEqual([null, null]);
});

test('pages of every origin may read the keys that verify ID tokens', async () => {
  const headers = { origin: 'https://rp.example' };
  const response = await fetch(`${origin}/.well-known/jwks.json`, { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

test('expired rows are purged', async () => {
  await logInTo(config, openBrowser(origin), 'owner');
  const count = async () => (await app.db.query('SELECT 1 FROM oauth_records')).length;
  expect(await count()).toBeGreaterThan(0);
  app.clock.advanceMs = 366 * 86_400_000;
  await app.runJob('purge');
  expect([await count(), await app.db.query('SELECT 1 FROM oauth_grants')]).toEqual([0, []]);
  app.clock.advanceMs = 0;
});

test('requests are limited by the address of the client', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const answers = await Promise.all(Array.from({ length: 400 }, () => token({ headers })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  const other = await token({ headers: { 'x-forwarded-for': '203.0.113.8' } });
  expect(other.status).toBe(400);
});

test('a server may push the logins of many browsers', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const policyOf = async (path: string, method: string) =>
    (await fetch(`${origin}${path}`, { method, headers })).headers.get('ratelimit-policy');
  expect(await policyOf('/auth/authorize', 'GET')).toContain(';q=1000;');
  expect(await policyOf('/oauth/par', 'POST')).toContain(';q=10000;');
});

test('answers 500 and not 503 when it is unknown whether a grant was stored', async () => {
  const browser = openBrowser(origin);
  await logInTo(config, browser, 'owner');
  // As PgBouncer answers a COMMIT when it has lost Postgres.
  await app.db.query(
    `CREATE FUNCTION lose_postgres() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE 'lost' USING ERRCODE = '08P01'; END $$`,
  );
  await app.db.query(
    `CREATE CONSTRAINT TRIGGER lost AFTER INSERT OR UPDATE ON oauth_grants DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION lose_postgres()`,
  );
  const { status, headers } = await browser.send((await beginLogin(config)).url);
  expect([status, headers.get('retry-after')]).toEqual([500, null]);
  await app.db.query('DROP FUNCTION lose_postgres CASCADE');
});
