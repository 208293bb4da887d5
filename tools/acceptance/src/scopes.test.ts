import { SCOPES } from '@atrium/contracts/auth/scope-names';
import { until } from '@atrium/testkit/until';
import { beforeAll, expect, test } from 'vitest';
import { createPerson, PASSWORD, type Person } from './accounts.ts';
import { call, text } from './client.ts';
import { sharedAtrium } from './shared-atrium.fixture.ts';

const { urls, mailbox } = await sharedAtrium();

let ada: Person;
const tokens = new Map<string, string>();
beforeAll(async () => {
  ada = await createPerson(urls.auth, mailbox, 'scoped');
  for (const scope of SCOPES) tokens.set(scope, text(await create([scope]), 'token'));
});

async function create(scopes: readonly string[]) {
  const body = { name: scopes.join(' '), scopes, expiresInDays: 1, password: PASSWORD };
  const { accessToken: token } = ada;
  return (await call('POST', `${urls.auth}/user/tokens`, { token, body })).body;
}

type Operations = Record<string, { security?: Record<string, string[]>[] }>;

/** Every operation that takes an access token, with the scope that its document names. */
async function operationsOf(url: string) {
  const { paths } = (await call('GET', `${url}/openapi.json`)).body as {
    paths: Record<string, Operations>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security = [] }]) => {
      const bearer = security.find((way) => 'bearer' in way)?.['bearer'];
      // Where a token is one way of several, it is the way of a session.
      const isAlways = bearer !== undefined && security.length === 1;
      return isAlways ? [{ method: method.toUpperCase(), path, needs: bearer[0] }] : [];
    }),
  );
}

test.each([
  ['auth', urls.auth, 40],
  ['notes', urls.notes, 50],
  ['links', urls.links, 8],
  ['webhooks', urls.webhooks, 20],
])('every operation of %s takes tokens with its scope and no others', async (_, url, least) => {
  const operations = await operationsOf(url);
  expect(operations.length).toBeGreaterThanOrEqual(least);
  const wrong: string[] = [];
  for (const { method, path, needs } of operations) {
    for (const [scope, token] of tokens) {
      // The ids name nothing that is there; a stream would not end.
      const target = url + path.replaceAll(/\{\w+\}/g, 'x');
      if (scope === needs && (method === 'DELETE' || /stream|presence/.test(path))) continue;
      const answer = await call(method, target, { token });
      const isRejected = answer.headers.get('error-code') === 'insufficient-scope';
      if (isRejected === (scope === needs)) wrong.push(`${method} ${path} with ${scope}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a token reads notes, is told what it may not do, and ends everywhere within two seconds', async () => {
  const { id, token = '' } = (await create(['notes:read', 'links:write'])) as Record<
    string,
    string
  >;
  const list = () => call('GET', `${urls.notes}/api/workspaces`, { token });
  expect((await list()).status).toBe(200);
  const link = { url: 'https://example.com/' };
  const workspace = { name: 'Made', description: '' };
  expect((await call('POST', `${urls.links}/api/links`, { token, body: link })).status).toBe(201);
  const denied = await call('POST', `${urls.notes}/api/workspaces`, { token, body: workspace });
  expect([denied.status, denied.body['error']]).toEqual([403, 'Forbidden']);
  expect(denied.headers.get('www-authenticate')).toContain('scope="notes:write"');
  const revoked = await call('DELETE', `${urls.auth}/user/tokens/${id ?? ''}`, {
    token: ada.accessToken,
  });
  expect(revoked.status).toBe(204);
  await until(async () => (await list()).status === 401);
  await until(async () => (await call('GET', `${urls.links}/api/links`, { token })).status === 401);
});
