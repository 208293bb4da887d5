import { newId } from '@atrium/contracts/ids';
import {
  createReplicatedDatabase,
  type ReplicatedDatabase,
  untilStandbyAnswers,
} from '@atrium/testkit/standby';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replica, startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick } from './click.fixture.ts';

let replicated: ReplicatedDatabase;
let platform: TestPlatform;
let replica: Replica;
beforeAll(async () => {
  replicated = await createReplicatedDatabase('links');
  platform = await startTestPlatform(replicated);
  replica = await platform.replica();
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  await replicated?.[Symbol.asyncDispose]();
});

test('counts clicks on a standby, but for owners who have just changed something', async () => {
  const ownerId = newId('usr');
  const call = platform.as({ sub: ownerId })(replica);
  const { body } = await call('POST', '/api/links', { url: 'https://example.com/' });
  const linkId = String(body['id']);
  const read = async () => {
    const total = (await call('GET', '/api/links/clicks?days=1')).body['total'];
    const days = (await call('GET', `/api/links/${linkId}/clicks?days=1`)).body['data'];
    return { total, days };
  };
  const counted = (people: number) => ({ total: people, days: [{ people, bots: 0 }] });
  await untilStandbyAnswers(replica.metrics, read);
  await replicated.pauseReplay();
  await platform.store.storeAll([exampleClick({ linkId, ownerId })]);
  expect(await read()).toMatchObject(counted(0));
  await call('PATCH', `/api/links/${linkId}`, { url: 'https://example.com/new' });
  expect(await read()).toMatchObject(counted(1));
  await call('DELETE', `/api/links/${linkId}`);
  expect((await call('GET', `/api/links/${linkId}/clicks`)).status).toBe(404);
});

test('counts them on the primary when the standby fails', async () => {
  const ownerId = newId('usr');
  const call = platform.as({ sub: ownerId })(replica);
  const read = () => call('GET', '/api/links/clicks?days=1');
  await replicated.resumeReplay();
  await untilStandbyAnswers(replica.metrics, read);
  await replicated.outage.begin();
  expect((await read()).status).toBe(200);
});
