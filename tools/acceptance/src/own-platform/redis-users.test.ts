import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAtrium } from '@atrium/client';
import { followDeliveries } from '@atrium/client/deliveries';
import { createFiles } from '@atrium/client/files';
import { followNote } from '@atrium/client/presence';
import { createWorkspaces } from '@atrium/client/workspaces';
import { REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { startRedis } from '@atrium/local-stack/servers';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { CHROME_ON_LINUX, createPerson } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { call } from '../client.ts';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const folder = await mkdtemp(join(tmpdir(), 'atrium-redis-users-'));
stack.defer(() => rm(folder, { recursive: true, force: true }));

// The scripts write beside themselves.
for (const script of ['scripts/make-secrets.sh', 'deploy/redis/acl.sh']) {
  await cp(join(REPOSITORY_ROOT, script), join(folder, script));
}
await promisify(execFile)('sh', [join(folder, 'scripts/make-secrets.sh')]);
const secret = (name: string) => readFile(join(folder, 'secrets', name), 'utf8');

const server = await startRedis({ dataDir: join(folder, 'redis') });
stack.defer(() => server.stop());
const redis = new Redis(server.url);
stack.defer(() => redis.disconnect());
for (const line of (await secret('redis_acl')).trim().split('\n')) {
  const [, name = '', ...rules] = line.split(' ');
  // This test itself stays the default user.
  if (name !== 'default') await redis.acl('SETUSER', name, ...rules);
}
const as = async (user: string) => ({
  REDIS_URL: (await secret(`redis_${user}_url`)).replace('redis:6379', `127.0.0.1:${server.port}`),
});
const overrides = {
  auth: await as('auth'),
  notes: await as('notes'),
  'notes-worker': await as('notes'),
  links: await as('links'),
  'webhook-dispatcher': await as('webhooks'),
  worker: await as('webhooks'),
};
const { urls, mailbox } = stack.use(
  await startAtrium({ REDIS_URL: server.url, RATE_LIMITS: 'on' }, overrides),
);

test('the Redis users of a deployment reach every key that their services need', async () => {
  await using receiver = await startReceiver();
  const following = new AbortController();
  const ada = await createPerson(urls.auth, mailbox, 'ada');
  const atrium = createAtrium({
    authUrl: urls.auth,
    notesUrl: urls.notes,
    linksUrl: urls.links,
    webhooksUrl: urls.webhooks,
    accessToken: () => ada.accessToken,
  });
  const files = createFiles(atrium);
  const url = `${receiver.url}/hook`;
  await atrium.webhooks.createWebhook({ url, events: ['note.shared', 'go.click'] });
  const changes = followDeliveries(atrium, {}, following);
  expect((await changes.next()).value).toEqual({ kind: 'ready' });

  const workspace = await atrium.notes.createWorkspace({ name: 'Plans' });
  const note = await atrium.notes.createNote(workspace.id, { title: 'Autumn', content: 'Sow' });
  const viewers = followNote(createWorkspaces(atrium), note.id, following);
  expect((await viewers.next()).value).toMatchObject({ kind: 'saved', etag: note.etag });
  const present = viewers.next();
  const archive = await new Response(await files.exportWorkspace(workspace.id)).blob();
  const { id: importId } = await files.importNotes(workspace.id, archive);
  await until(async () => (await files.getImport(workspace.id, importId)).state === 'completed');

  await atrium.notes.shareNote(note.id);
  const { shortUrl } = await atrium.links.createLink({ url: 'https://example.com/autumn' });
  await call('GET', shortUrl, { headers: { 'user-agent': CHROME_ON_LINUX } });
  await receiver.waitFor(2);
  expect((await changes.next()).value).toMatchObject({ kind: 'delivery' });
  // Every service gets a message about it, and sends some.
  await atrium.auth.requestAccountExport();
  await until(async () => (await atrium.auth.getAccountExport()).status === 'ready');

  // Names what was refused, for which otherwise something would be awaited in vain.
  expect(await redis.acl('LOG')).toEqual([]);
  expect((await present).value).toEqual({ kind: 'present', userIds: [ada.id] });
  following.abort();
});
