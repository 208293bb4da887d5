import { FUZZ_TIMEOUT_MS, REQUESTS } from '@atrium/testkit/fuzz/config';
import { type FuzzAccounts, fuzzRoutes } from '@atrium/testkit/fuzz/run';
import { tokenAccounts } from '@atrium/testkit/fuzz/token-accounts';
import { test } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';

const KNOWN = {
  'workspaces/id': ['@@ws@@'],
  'notes/id': ['@@note@@'],
  'attachments/id': ['@@fil@@'],
  name: ['garden.jpg'],
  workspace: ['@@ws@@'],
  workspaceId: ['@@ws@@'],
  noteId: ['@@note@@'],
  userId: ['@@usr@@'],
  invitationId: ['@@inv@@'],
  versionId: ['@@ver@@'],
  password: ['a lantern in the fog'],
  expiresAt: ['2999-01-31T09:30:00.000Z'],
  importId: ['@@imp@@'],
  q: ['a', 'note', '- -'],
  'if-match': ['*', '"1"', '"2"'],
  cursor: ['e30', 'bnVsbA', 'WzFd'],
};

/** Gives an account a workspace with a public note and an attachment: random requests rarely make one. */
async function prepare(app: TestApp, accounts: FuzzAccounts, accountIndex: number): Promise<void> {
  const call = app.asToken(accounts.valueFor('accessToken', accountIndex));
  const create = async (path: string, body: object = {}) => {
    const answer = await call('POST', path, body);
    const text = JSON.stringify(answer.body);
    accounts.observe?.({ status: answer.status, headers: {}, text }, accountIndex);
    return String(answer.body['id']);
  };
  const workspace = `/api/workspaces/${await create('/api/workspaces', { name: 'Garden' })}`;
  const note = await create(`${workspace}/notes`, { title: 'Plans', content: '# Autumn' });
  await create(`/api/notes/${note}/share`);
  await create(`${workspace}/attachments?name=garden.json`);
}

/** In every text of an account that takes no part. */
const SECRET = 'zqsecret';
const HIDDEN_EVERY = 6;

/** Sometimes the ids of somebody who has shared nothing. */
async function withHiddenIds(app: TestApp, accounts: FuzzAccounts): Promise<FuzzAccounts> {
  const call = app.as({ plan: 'pro' });
  const ids = new Map<string, string[]>();
  const create = async (path: string, body: object = {}) => {
    const answer = await call('POST', path, body);
    const id = String(answer.body['id']);
    const prefix = String(id.split('_')[0]);
    ids.set(prefix, [...(ids.get(prefix) ?? []), id]);
    return id;
  };
  const workspace = `/api/workspaces/${await create('/api/workspaces', { name: SECRET })}`;
  const file = await create(`${workspace}/attachments?name=${SECRET}.json`, { text: SECRET });
  const content = `${SECRET} [[${SECRET}]] /api/attachments/${file}/content`;
  const note = { title: SECRET, content, tags: [SECRET] };
  const noteId = await create(`${workspace}/notes`, note);
  await create(`/api/notes/${noteId}/versions`, { name: SECRET });
  await call('DELETE', `/api/notes/${await create(`${workspace}/notes`, note)}`);
  await create(`${workspace}/invitations`, { email: `${SECRET}@example.com`, role: 'viewer' });
  let turn = 0;
  return {
    ...accounts,
    valueFor(name, accountIndex) {
      turn += 1;
      const hidden = ids.get(name);
      const id = turn % HIDDEN_EVERY === 0 ? hidden?.[turn % hidden.length] : undefined;
      return id ?? accounts.valueFor(name, accountIndex);
    },
  };
}

test(
  `${REQUESTS} requests to all routes are answered as the OpenAPI document says, and show nobody else's text`,
  async () => {
    await using app = await startTestApp();
    const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const accounts = await withHiddenIds(app, tokenAccounts(app.issuer));
    const renew = async () => {
      for (const accountIndex of [0, 1, 2]) await prepare(app, accounts, accountIndex);
    };
    await fuzzRoutes({ origin, known: KNOWN, accounts: { ...accounts, renew }, secret: SECRET });
  },
  FUZZ_TIMEOUT_MS,
);
