import {
  createReplicatedDatabase,
  type ReplicatedDatabase,
  untilStandbyAnswers,
} from '@atrium/testkit/standby';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, startTestApp, type TestApp } from '../test-app.ts';
import { startActivity } from './activity.fixture.ts';

let replicated: ReplicatedDatabase;
let app: TestApp;
beforeAll(async () => {
  replicated = await createReplicatedDatabase('notes');
  app = await startTestApp(replicated);
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await replicated?.[Symbol.asyncDispose]();
});

test('lists the activity from a standby, but to those who have just changed something', async () => {
  const { ada, workspaceId, path, read } = await startActivity(app);
  const cid = newUser(app);
  const ben = newUser(app);
  const eve = newUser(app);
  await join(app, { owner: ada, workspaceId, user: cid });
  await join(app, { owner: ada, workspaceId, user: ben });
  await join(app, { owner: ada, workspaceId, user: eve });
  const readAs = async ({ call }: typeof ben) =>
    (await call('GET', `${path}/activity`)).body['data'];
  await untilStandbyAnswers(app.metrics, () => readAs(cid));
  await untilStandbyAnswers(app.metrics, () => readAs(ben));
  await untilStandbyAnswers(app.metrics, () => readAs(eve));
  await replicated.pauseReplay();
  await newNote(ada.call, workspaceId, { title: 'Plans' });
  await ada.call('DELETE', `${path}/members/${eve.id}`);
  const now = [{ kind: 'member.removed', memberId: eve.id }, { kind: 'note.created' }];
  expect((await read()).slice(0, 2)).toMatchObject(now);
  expect(await readAs(ben)).toMatchObject([
    { kind: 'member.joined', userId: eve.id },
    { kind: 'member.invited' },
    { kind: 'member.joined', userId: ben.id },
    { kind: 'member.invited' },
    { kind: 'member.joined', userId: cid.id },
    { kind: 'member.invited' },
  ]);
  // Whether she may read it, the primary says.
  expect((await eve.call('GET', `${path}/activity`)).status).toBe(404);
  // Whoever has asked how far an import is reads what it has done.
  await ben.call('GET', `${path}/imports`);
  expect(((await readAs(ben)) as object[]).slice(0, 2)).toMatchObject(now);
  await replicated.outage.begin();
  expect(((await readAs(cid)) as object[]).slice(0, 2)).toMatchObject(now);
});
