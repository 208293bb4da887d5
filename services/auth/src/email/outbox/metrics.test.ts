import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { createMetrics } from '@atrium/service-kit/metrics';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase, TEST_KEYS } from '../../test-app.ts';
import { createEmailTemplates } from '../templates/templates.ts';
import { observeEmails } from './metrics.ts';
import { createEmailOutbox } from './store.ts';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const { db } = stack.use(await openTestDatabase());
const templates = createEmailTemplates('https://web.example');
const outbox = createEmailOutbox({
  database: db,
  keyRing: parseKeyRing([TEST_KEYS]),
  templates,
  wakeSender: () => undefined,
});

test('the metrics say how long the oldest unsent message has waited, until it is sent', async () => {
  const metrics = createMetrics();
  observeEmails(metrics, outbox);
  const oldest = async () =>
    (await metrics.getSingleMetric('email_oldest_unsent_seconds')?.get())?.values[0]?.value;
  expect(await oldest()).toBe(0);

  for (const address of ['old', 'new']) {
    const recipient = { email: `${address}@example.com`, name: 'Ada', language: 'en' } as const;
    const content = templates.resetPassword(recipient, 'test-token');
    await db.transaction({ job: 'test' }, (tx) => outbox.enqueue(tx, 'reset-password', content));
  }
  const [row] = await db.query<{ id: string }>(
    `UPDATE email_messages SET created_at = now() - interval '1 hour', next_attempt_at = now() + interval '1 hour'
     WHERE id = (SELECT id FROM email_messages LIMIT 1) RETURNING id`,
  );
  // Postgres counts microseconds, and the clock may be set back by some.
  expect(await oldest()).toBeGreaterThan(3590);
  await outbox.recordSent(row?.id ?? '');
  expect(await oldest()).toBeLessThan(3590);
});

test('what alerts look for is counted from 0, since the first value of a series is no increase', async () => {
  const metrics = createMetrics();
  const count = observeEmails(metrics, outbox);
  count('sent');
  const lines = (await metrics.metrics()).split('\n');
  expect(lines).toContain('email_attempts_total{outcome="sent"} 1');
  expect(lines).toContain('email_attempts_total{outcome="given-up"} 0');
});
