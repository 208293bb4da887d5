import { newId } from '@atrium/contracts/ids';
import { openRedis } from '@atrium/service-kit/redis';
import { type OpenedStream, openEventStream } from '@atrium/testkit/event-stream';
import { emailAddressOf } from '@atrium/testkit/tokens';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { createPresenceRegistry } from './registry.ts';

interface Data {
  userIds: string[];
  etag: string;
  userId: string | null;
}
type Stream = OpenedStream<Data>;

let app: TestApp;
let origin: string;
beforeAll(async () => {
  app = await startTestApp();
  origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app?.[Symbol.asyncDispose]());

function newPerson() {
  const id = newId('usr');
  const sid = newId('ses');
  const token = app.issuer.issueToken({ sub: id, sid, plan: 'pro' });
  return { id, sid, token, email: emailAddressOf(id), call: app.asToken(token) };
}

/** Ada's note, which Ben may edit. */
async function start() {
  const [ada, ben] = [newPerson(), newPerson()];
  const workspaceId = await newWorkspace(ada.call);
  await join(app, { owner: ada, workspaceId, user: ben });
  const noteId = await newNote(ada.call, workspaceId, { title: 'Ferns' });
  const path = `/api/notes/${noteId}`;
  const open = ({ token }: { token: string }, server = origin) =>
    openEventStream<Data>(`${server}${path}/presence`, { token });
  const save = (content: string) => ben.call('PATCH', path, { content }, { 'if-match': '*' });
  return { ada, ben, workspaceId, noteId, path, open, save };
}

const presentAt = (stream: Stream, userIds: string[]) =>
  stream.waitFor(
    ({ type, data }) => type === 'present' && data.userIds?.join() === userIds.toSorted().join(),
  );
const savedAt = (stream: Stream, etag: string) =>
  stream.waitFor(({ type, data }) => type === 'saved' && data.etag === etag);

describe('the stream of a note', () => {
  test('says who has the note open and what is saved', async () => {
    const { ada, ben, open, save } = await start();
    await using first = await open(ada);
    expect(first.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    await presentAt(first, [ada.id]);
    expect((await savedAt(first, '"1"')).data.userId).toBe(ada.id);
    {
      await using second = await open(ben);
      await using again = await open(ben);
      await presentAt(second, [ada.id, ben.id]);
      await presentAt(first, [ada.id, ben.id]);
      await save('Green');
      for (const stream of [first, second, again]) {
        expect((await savedAt(stream, '"2"')).data.userId).toBe(ben.id);
      }
      first.events.length = 0;
    }
    await presentAt(first, [ada.id]);
  });

  test('says that others have changed the tree or the members of its workspace, and only others', async () => {
    const { ada, ben, workspaceId, open, save } = await start();
    await using adas = await open(ada);
    await using bens = await open(ben);
    const changesAt = ({ events }: Stream) =>
      events.filter(({ type }) => type === 'changed').length;
    const isChanged = (times: number) => until(() => changesAt(bens) === times);
    await savedAt(bens, '"1"');
    const made = `/api/notes/${await newNote(ada.call, workspaceId, { title: 'Untitled' })}`;
    await isChanged(1);
    // Joined with the entry of its creation.
    await ada.call('PATCH', made, { title: 'Mosses' }, { 'if-match': '*' });
    await isChanged(2);
    await ada.call('DELETE', made);
    await isChanged(3);
    await save('Green');
    for (const stream of [adas, bens]) await savedAt(stream, '"2"');
    expect([changesAt(adas), changesAt(bens)]).toEqual([0, 3]);
  });

  test('ends at once for a member who is removed, and is not found any more', async () => {
    const { ada, ben, workspaceId, open, save } = await start();
    await using kept = await open(ada);
    await using ended = await open(ben);
    await presentAt(kept, [ada.id, ben.id]);
    await save('Green');
    kept.events.length = 0;
    await ada.call('DELETE', `/api/workspaces/${workspaceId}/members/${ben.id}`);
    await ended.ended;
    await presentAt(kept, [ada.id]);
    expect((await open(ben)).status).toBe(404);
  });

  test('ends when the note is moved to the trash or its session is revoked', async () => {
    const { ada, ben, path, open } = await start();
    await using revoked = await open(ben);
    await using deleted = await open(ada);
    app.revokeSession(ben.sid);
    await revoked.ended;
    await ada.call('DELETE', path);
    await deleted.ended;
  });

  test('is limited for each account', async () => {
    const { ada, open } = await start();
    await using streams = new AsyncDisposableStack();
    for (let n = 0; n < 10; n++) streams.use(await open(ada));
    expect((await open(ada)).status).toBe(429);
  });

  test('ends with the server', async () => {
    await using other = await startTestApp();
    const url = await other.server.listen({ port: 0, host: '127.0.0.1' });
    const token = other.token();
    const call = other.asToken(token);
    const noteId = await newNote(call, await newWorkspace(call), { title: 'Ferns' });
    const stream = await openEventStream<Data>(`${url}/api/notes/${noteId}/presence`, { token });
    await until(() => stream.events.length > 0);
    await other.server.close();
    await stream.ended;
  });
});

test('an entry of the registry expires when its process does not renew it', async () => {
  const { url, queuePrefix } = testRedis();
  await using redis = await openRedis({ url });
  let nowMs = Date.now();
  const registry = createPresenceRegistry({
    redis: redis.client,
    queuePrefix,
    clockMs: () => nowMs,
  });
  const [noteId, ada, ben] = [newId('note'), newId('usr'), newId('usr')];
  const viewers = [ada, ada, ben].map((accountId, n) => ({ noteId, accountId, streamId: `${n}` }));
  await registry.renew(viewers);
  const present = async () => (await registry.read([noteId])).get(noteId);
  expect(await present()).toEqual([ada, ben].toSorted());
  nowMs += 20_000;
  await registry.renew(viewers.slice(0, 2));
  nowMs += 15_000;
  expect(await present()).toEqual([ada]);
});
