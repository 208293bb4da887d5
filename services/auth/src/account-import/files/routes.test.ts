import { request as httpRequest } from 'node:http';
import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import { makeOperator, type OperatorAccount } from '../../operator/operator.fixture.ts';
import { makeAccount, startTestApp } from '../../test-app.ts';
import { runImport } from './run.ts';

const IMPORTS = '/api/operator/account-imports';
const app = await startTestApp({ OPERATOR_EMAILS: 'grace@example.com' });
afterAll(() => app[Symbol.asyncDispose]());
const grace: OperatorAccount = await makeOperator(app, 'grace');

const settings = { settings: { birthdate: '1990-05-17' } };
const linesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@moved.example` }));

async function upload(lines: readonly object[], token = grace.accessToken, name = 'a.ndjson') {
  const answer = await app.server.inject({
    method: 'POST',
    url: `${IMPORTS}?name=${name}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    payload: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function read(id: string) {
  return (await app.call('GET', `${IMPORTS}/${id}`, { token: grace.accessToken })).body;
}

test('a file is imported after the upload, its report says what was rejected, and again it makes no doubles', async () => {
  const lines = [settings, ...linesOf('first', 3), { email: 'nobody' }];
  const { status, body } = await upload(lines, grace.accessToken, 'people.ndjson');
  expect([status, body]).toEqual([
    202,
    expect.objectContaining({ fileName: 'people.ndjson', state: 'waiting', lines: 5, created: 0 }),
  ]);
  expect((await upload(lines)).body).toMatchObject({ message: 'Another import is in progress' });
  await app.runJob('import-accounts');
  const done = { state: 'completed', operator: 'grace', linesRead: 5, error: null };
  expect(await read(body.id)).toMatchObject({ ...done, created: 3, alreadyThere: 0, rejected: 1 });
  const report = await app.server.inject({
    url: `${IMPORTS}/${body.id}/report`,
    headers: { authorization: `Bearer ${grace.accessToken}` },
  });
  expect(JSON.parse(report.body)).toMatchObject({ line: 5, field: 'email' });

  const again = await upload(lines);
  await app.runJob('import-accounts');
  const counts = { created: 0, alreadyThere: 3, rejected: 1 };
  expect(await read(again.body.id)).toMatchObject({ ...done, ...counts });
  const { accessToken: token } = grace;
  const list = await app.call('GET', `${IMPORTS}?limit=1`, { token });
  expect(list.body['data']).toMatchObject([{ id: again.body.id }]);
  const activity = await app.call('GET', '/user/audit?category=operator', { token });
  expect(activity.body['data']).toMatchObject([
    { kind: 'operator.accounts_imported', data: { fileName: 'a.ndjson', lines: 5 } },
    { kind: 'operator.accounts_imported', data: { fileName: 'people.ndjson', lines: 5 } },
  ]);
});

test('an import that was interrupted goes on where it was, with the settings of the file', async () => {
  const { body } = await upload([settings, ...linesOf('long', 1100)]);
  const deps = { database: app.db, plan: 'free', clockMs: Date.now } as const;
  await expect(runImport(deps, AbortSignal.abort())).rejects.toThrow('aborted');
  expect(await read(body.id)).toMatchObject({ state: 'running', linesRead: 1001, created: 1000 });
  await app.runJob('import-accounts');
  const counts = { created: 1100, alreadyThere: 0, rejected: 0 };
  expect(await read(body.id)).toMatchObject({ state: 'completed', linesRead: 1101, ...counts });
  expect(await app.db.query('SELECT 1 FROM account_import_parts')).toEqual([]);
});

test('an import that fails at one line again and again is given up, and another can begin', async () => {
  const { body } = await upload([settings, ...linesOf('stuck', 1)]);
  await app.db.query('UPDATE account_imports SET attempts = 5 WHERE id = $1', [body.id]);
  await app.runJob('import-accounts');
  expect(await read(body.id)).toMatchObject({
    state: 'failed',
    error: 'interrupted',
  });
});

test('an upload that breaks off, or is too large, leaves nothing', async () => {
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const count = async () => (await app.db.query('SELECT 1 FROM account_imports')).length;
  const before = await count();
  const begin = (bytes: number) => {
    const headers = { authorization: `Bearer ${grace.accessToken}`, 'content-length': bytes };
    const sent = httpRequest(`${origin}${IMPORTS}?name=a`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.write('{"settings":{}}\n');
    return sent;
  };
  const tooLarge = begin(101 * 1024 * 1024);
  const status = await new Promise((resolve) =>
    tooLarge.on('response', (response) => resolve(response.statusCode)),
  );
  expect(status).toBe(413);
  tooLarge.destroy();
  const broken = begin(1000);
  await until(async () => (await count()) === before + 1);
  broken.destroy();
  await until(async () => (await count()) === before);
});

test('for others there are no such imports', async () => {
  const { accessToken } = await makeAccount(app, 'ordinary');
  expect((await upload([settings], accessToken)).status).toBe(404);
  const list = await app.call('GET', IMPORTS, { token: accessToken });
  expect(list.status).toBe(404);
});
