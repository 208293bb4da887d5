import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@atrium/service-kit/logger';
import { createMetrics } from '@atrium/service-kit/metrics';
import { startMailbox } from '@atrium/testkit/mailbox';
import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { openTestDatabase, TEST_KEYS } from '../../test-app.ts';
import { startEmailSender } from './sender.ts';
import { afterFailure, createEmailOutbox } from './store.ts';
import { createEmailTemplates } from '../templates/templates.ts';
import { fileTransport, type EmailTransport, smtpTransport } from '../transport/transport.ts';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const { db } = stack.use(await openTestDatabase());
let wakes = 0;
const wakeSender = () => (wakes += 1);
const open = (key: string) =>
  createEmailOutbox({ database: db, keyRing: parseKeyRing([key]), templates, wakeSender });
const logger = createLogger({ service: 'auth', level: 'silent' });
const templates = createEmailTemplates('https://web.example');
const outbox = open(TEST_KEYS);
const from = 'Atrium <no-reply@atrium.localhost>';

beforeEach(() => db.query('DELETE FROM email_messages'));

function start(
  transport: EmailTransport,
  options: Partial<Parameters<typeof startEmailSender>[0]> = {},
) {
  const { url: redisUrl, queuePrefix } = testRedis();
  const metrics = createMetrics();
  return startEmailSender({
    outbox,
    transport,
    mayWrite: async () => true,
    redisUrl,
    queuePrefix,
    metrics,
    logger,
    ...options,
  });
}

const contentTo = (email: string) =>
  templates.resetPassword({ email, name: '<Ada>', language: 'en' }, 'test-token');
const enqueue = (email: string) =>
  db.transaction({ job: 'test' }, (tx) => outbox.enqueue(tx, 'reset-password', contentTo(email)));

const rows = () =>
  db.query<{ attempts: number; content: string | null; sent_at: Date | null }>(
    'SELECT attempts, content, sent_at FROM email_messages',
  );

test('several senders send a message once and delete its content', async () => {
  await using mailbox = await startMailbox();
  using transport = smtpTransport({ url: mailbox.smtpUrl, from });
  const { queuePrefix } = testRedis();
  await using _first = start(transport, { queuePrefix });
  await using second = start(transport, { queuePrefix });
  await enqueue('once@example.com');
  second.wake();
  const email = await mailbox.waitFor(1);
  expect(email.to).toEqual(['once@example.com']);
  expect(email.html).toContain('&lt;Ada&gt;');
  await until(async () => (await rows()).every((row) => row.sent_at !== null));
  expect(await rows()).toEqual([{ attempts: 1, content: null, sent_at: expect.any(Date) }]);
  expect(mailbox.messages).toHaveLength(1);
});

test('a message wakes the sender once it has been committed', async () => {
  const before = wakes;
  await enqueue('committed@example.com');
  expect(wakes).toBe(before + 1);
  const lost = db.transaction({ job: 'test' }, async (tx) => {
    await outbox.enqueue(tx, 'reset-password', contentTo('lost@example.com'));
    throw new Error('rolled back');
  });
  await expect(lost).rejects.toThrow('rolled back');
  expect([wakes, await rows()]).toEqual([before + 1, [expect.anything()]]);
});

test('retries a message that failed', async () => {
  await using mailbox = await startMailbox();
  using smtp = smtpTransport({ url: mailbox.smtpUrl, from });
  let attempts = 0;
  const flaky: EmailTransport = {
    async send(email) {
      attempts += 1;
      if (attempts === 1) {
        throw new Error('451 try again');
      }
      await smtp.send(email);
    },
    [Symbol.dispose]: () => undefined,
  };
  await using sender = start(flaky);
  await enqueue('again@example.com');
  await until(async () => {
    const hastened = await db.query(
      'UPDATE email_messages SET next_attempt_at = now() WHERE last_error IS NOT NULL RETURNING 1',
    );
    return hastened.length === 1;
  });
  sender.wake();
  await mailbox.waitFor(1);
  expect(attempts).toBe(2);
});

test('retries by the clock of the database when that of the process is wrong', async () => {
  await enqueue('tomorrow@example.com');
  const [id = ''] = await outbox.listDue(1);
  const email = await outbox.lease(id);
  if (email === undefined) throw new Error('not due');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  await outbox.recordFailure(email, afterFailure(email.attempts), '451 try again');
  const waiting = await db.query(
    `SELECT 1 FROM email_messages WHERE next_attempt_at BETWEEN now() AND now() + interval '5 s'`,
  );
  await outbox.recordSent(id);
  vi.useRealTimers();
  expect(waiting).toHaveLength(1);
  const [row] = await rows();
  expect(Number(row?.sent_at)).toBeLessThanOrEqual(Date.now() + 1000);
});

test('gives up a message whose key has left the key ring, and counts it', async () => {
  await using mailbox = await startMailbox();
  using transport = smtpTransport({ url: mailbox.smtpUrl, from });
  await enqueue('unreadable@example.com');
  await db.query('UPDATE email_messages SET attempts = 11');
  const newKey = `k2:${Buffer.alloc(32, 8).toString('base64')}`;
  const metrics = createMetrics();
  await using _sender = start(transport, { outbox: open(newKey), metrics });
  await until(async () => (await rows()).every((row) => row.content === null));
  expect(await rows()).toEqual([{ attempts: 12, content: null, sent_at: null }]);
  await until(async () =>
    (await metrics.metrics()).includes('email_attempts_total{outcome="given-up"} 1'),
  );
  expect(mailbox.messages).toEqual([]);
});

test('gives up at once on a recipient that the server refuses for good, and on nothing else', async () => {
  await using mailbox = await startMailbox();
  using transport = smtpTransport({ url: mailbox.smtpUrl, from });
  mailbox.refused.set('nobody@example.com', '5.1.1 No such mailbox');
  mailbox.refused.set('relayed@example.com', '5.7.1 Relay access denied');
  for (const address of mailbox.refused.keys()) await enqueue(address);
  const metrics = createMetrics();
  await using _sender = start(transport, { metrics });
  const outcomes = () =>
    db.query<{ reply: string; waits: boolean; kept: boolean }>(
      `SELECT substring(last_error FROM '5\\.\\d\\.\\d') AS reply, next_attempt_at IS NOT NULL AS waits,
              content IS NOT NULL AS kept
       FROM email_messages WHERE last_error IS NOT NULL ORDER BY reply`,
    );
  await until(async () => (await outcomes()).length === 2);
  expect(await outcomes()).toEqual([
    { reply: '5.1.1', waits: false, kept: false },
    { reply: '5.7.1', waits: true, kept: true },
  ]);
  await until(async () =>
    (await metrics.metrics()).includes('email_attempts_total{outcome="refused"} 1'),
  );
});

test('one wake-up sends every message that is due', async () => {
  await using mailbox = await startMailbox();
  using transport = smtpTransport({ url: mailbox.smtpUrl, from });
  const addresses = Array.from({ length: 250 }, (_, index) => `many-${index}@example.com`);
  await Promise.all(addresses.map((address) => enqueue(address)));
  await using _sender = start(transport);
  await mailbox.waitFor(addresses.length);
  await until(async () => (await rows()).every((row) => row.sent_at !== null));
  expect(new Set(mailbox.messages.flatMap((email) => email.to)).size).toBe(addresses.length);
  expect(mailbox.messages).toHaveLength(addresses.length);
});

test('purges finished messages and keeps waiting ones', async () => {
  await enqueue('waiting@example.com');
  await enqueue('done@example.com');
  await db.query(`UPDATE email_messages SET created_at = now() - interval '60 days'`);
  await db.query(
    `UPDATE email_messages SET next_attempt_at = NULL, content = NULL
     WHERE id = (SELECT id FROM email_messages LIMIT 1)`,
  );
  const before = new Date(Date.now() - 30 * 86_400_000);
  expect(await outbox.purge({ before, limit: 10 })).toBe(1);
  expect(await rows()).toHaveLength(1);
});

test('sends messages written while Redis was away once it is back', async () => {
  await using mailbox = await startMailbox();
  await using outage = await startOutage(testRedis().url);
  using transport = smtpTransport({ url: mailbox.smtpUrl, from });
  await using sender = start(transport, { redisUrl: outage.url });
  await outage.begin();
  await enqueue('patient@example.com');
  sender.wake();
  await outage.end();
  expect((await mailbox.waitFor(1)).to).toEqual(['patient@example.com']);
});

test('writes messages to files when there is no SMTP server', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-email-'));
  try {
    await using _sender = start(fileTransport({ directory, from, logger }));
    await enqueue('file@example.com');
    const name = await until(async () =>
      (await readdir(directory)).find((one) => one.endsWith('.eml')),
    );
    const text = await readFile(join(directory, name), 'utf8');
    expect(text).toContain('To: file@example.com');
    expect(text).toContain('multipart/alternative');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('retries grow from 5 s to an hour and end after 12 attempts', () => {
  expect(afterFailure(1)).toEqual({ kind: 'retry', delayMs: 5000 });
  expect(afterFailure(11)).toEqual({ kind: 'retry', delayMs: 3_600_000 });
  expect(afterFailure(12)).toEqual({ kind: 'given-up' });
});
