import { EventEmitter, once } from 'node:events';
import { listen } from '@atrium/testkit/http-listener';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeApplication, makeVerified, startOauthApp } from '../oauth.fixture.ts';
import { leaseLogouts } from './store.ts';

const { app, ...started } = await startOauthApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const told = new EventEmitter();
const quick = await listen((_request, response) => {
  response.end();
  told.emit('quick');
});
const hanging = await listen((_request, response) => void told.emit('hanging', response));
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await Promise.all([quick, hanging].map((receiver) => receiver[Symbol.asyncDispose]()));
});
beforeEach(() => app.db.query('DELETE FROM oauth_logouts'));

const person = await makeVerified(app, 'person');
const hog = await makeVerified(app, 'hog');
const owner = await makeVerified(app, 'owner');

async function applicationOf(maker: typeof owner, backchannelLogoutUrl: string) {
  return (await makeApplication(app, maker.accessToken, { backchannelLogoutUrl })).id;
}

/** Logouts `sid1` and so on of these applications, which are due in this order. */
async function insertLogouts(applications: string[]): Promise<void> {
  await app.db.query(
    `INSERT INTO oauth_logouts (sid, application_id, account_id, due_at)
     SELECT 'sid' || position, id, $2, now() - interval '1 hour' + position * interval '1 second'
     FROM unnest($1::text[]) WITH ORDINALITY AS given (id, position)`,
    [applications, person.id],
  );
}

test('at most two logouts of all applications of one owner are leased at the same time', async () => {
  const first = await applicationOf(hog, hanging.url);
  const second = await applicationOf(hog, hanging.url);
  const other = await applicationOf(owner, quick.url);
  await insertLogouts([first, first, second, second, other]);
  const nowMs = Date.now();
  const lease = { nowMs, untilMs: nowMs + 60_000, limit: 3, perOwner: 2, busy: [], served: [] };
  const leased = await leaseLogouts(app.db, lease);
  expect(leased.map(({ sid }) => sid).toSorted()).toEqual(['sid1', 'sid2', 'sid5']);
  const [third, ...others] = await leaseLogouts(app.db, { ...lease, busy: [hog.id] });
  expect([third?.sid, others]).toEqual(['sid3', []]);
});

test('an owner of whom one logout is under way waits for those of whom none is', async () => {
  const hogged = await applicationOf(hog, hanging.url);
  const other = await applicationOf(owner, quick.url);
  await insertLogouts([hogged, hogged, other, other]);
  const nowMs = Date.now();
  const lease = { nowMs, untilMs: nowMs + 60_000, limit: 1, perOwner: 2, served: [] };
  const [next] = await leaseLogouts(app.db, { ...lease, busy: [hog.id] });
  expect(next?.sid).toBe('sid3');
  const [last] = await leaseLogouts(app.db, { ...lease, busy: [hog.id, owner.id] });
  expect(last?.sid).toBe('sid1');
});

test('of several owners, first comes the one who was not served yet, then the one served longest ago', async () => {
  const hogged = await applicationOf(hog, hanging.url);
  const other = await applicationOf(owner, quick.url);
  const third = await applicationOf(person, quick.url);
  await insertLogouts([hogged, hogged, other, third]);
  const nowMs = Date.now();
  const lease = { nowMs, untilMs: nowMs + 60_000, limit: 2, perOwner: 1, busy: [] };
  const leased = await leaseLogouts(app.db, { ...lease, served: [owner.id, hog.id] });
  expect(leased.map(({ sid }) => sid).toSorted()).toEqual(['sid3', 'sid4']);
});

test('more owners than slots whose applications do not answer delay another by one of them', async () => {
  const hogs = await Promise.all(
    Array.from({ length: 21 }, (_, n) => makeVerified(app, `hog-${n}`)),
  );
  const hogged = await Promise.all(hogs.map((each) => applicationOf(each, hanging.url)));
  const other = await applicationOf(owner, quick.url);
  await insertLogouts([...hogged, ...hogged, ...hogged, other]);
  const responses: { end: () => void }[] = [];
  let isOver = false;
  const answer = (response: { end: () => void }) => {
    responses.push(response);
    if (isOver) response.end();
  };
  told.on('hanging', answer);
  const isTold = once(told, 'quick');
  const job = app.runJob('tell-logouts');
  await until(() => responses.length >= 20);
  for (const response of responses.slice(0, 2)) response.end();
  await isTold;
  expect(responses.length).toBeLessThanOrEqual(hogs.length);
  isOver = true;
  for (const response of responses) response.end();
  await job;
  told.off('hanging', answer);
});

test('an application that does not answer does not delay what the others are told', async () => {
  const silent = await applicationOf(hog, hanging.url);
  const alsoSilent = await applicationOf(hog, hanging.url);
  const other = await applicationOf(owner, quick.url);
  await insertLogouts([silent, silent, alsoSilent, other, other, other, other, other]);
  const responses: { destroyed: boolean; end: () => void }[] = [];
  told.on('hanging', (response) => responses.push(response));
  let count = 0;
  const all = Promise.withResolvers<void>();
  told.on('quick', () => {
    count += 1;
    if (count === 5) all.resolve();
  });
  const job = app.runJob('tell-logouts');
  await all.promise;
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  const next = once(told, 'hanging');
  for (const response of responses) response.end();
  await next;
  responses.at(-1)?.end();
  await job;
  expect(await app.db.query('SELECT sid FROM oauth_logouts')).toEqual([]);
});
