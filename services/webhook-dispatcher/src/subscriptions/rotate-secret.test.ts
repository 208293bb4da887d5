import { createHmac } from 'node:crypto';
import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('DELETE FROM subscriptions'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const post = (path: string, body?: object, token?: string) =>
  harness.call(path, { method: 'POST', ...(body && { body }), ...(token && { token }) });
const URL = 'https://93.184.216.34/hook';
const delivered = (id: string) =>
  until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');

describe('a rotated secret', () => {
  const rotate = (id: string, body?: object) => post(`/api/webhooks/${id}/rotate-secret`, body);

  it('signs at once, while the old one verifies for another day', async () => {
    await using receiver = await startReceiver();
    await using _worker = await harness.startWorker();
    const { id, secret: old } = await harness.subscribe(receiver.url);
    const before = Date.now();
    const { status, body } = await rotate(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      publicKey: null,
      previousSecretValidUntil: expect.any(String),
    });
    expect(body.secret).not.toBe(old);
    const hours = (Date.parse(body.previousSecretValidUntil) - before) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    const shown = await harness.call(`/api/webhooks/${id}`);
    expect(shown.body.previousSecretValidUntil).toBe(body.previousSecretValidUntil);
    await harness.database.query(
      `UPDATE subscriptions SET previous_secret_until = now() - interval '1 s'`,
    );
    const later = await harness.call(`/api/webhooks/${id}`);
    expect(later.body.previousSecretValidUntil).toBeNull();
    await harness.database.query(
      `UPDATE subscriptions SET previous_secret_until = now() + interval '1 day'`,
    );
    await harness.send([harness.event()]);
    const [request] = await receiver.waitFor(1);
    const text = request?.rawBody.toString() ?? '';
    const headers = request?.headers as Record<string, string>;
    expect(headers['service-signature']).toBe(hmac(body.secret, text));
    for (const secret of [body.secret, old]) {
      expect(() => new Webhook(secret).verify(text, headers)).not.toThrow();
    }
    await delivered(id);
  });

  it('keeps the old one by the clock of Postgres', async () => {
    // An account of its own: its rate limits are of another day afterwards.
    const sub = newId('usr');
    const subscription = { url: URL, events: ['note.shared'] };
    const created = await post('/api/webhooks', subscription, harness.issuer.issueToken({ sub }));
    const realMs = Date.now();
    const hours = (count: number) => realMs + count * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'], now: hours(30) });
    try {
      const inAnHour = new Date(hours(1)).toISOString();
      const { status, body } = await post(
        `/api/webhooks/${created.body.id}/rotate-secret`,
        { serviceSignatureUsesPreviousUntil: inAnHour },
        harness.issuer.issueToken({ sub }),
      );
      expect(status).toBe(200);
      expect((Date.parse(body.previousSecretValidUntil) - hours(24)) / 3_600_000).toBeCloseTo(0, 1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps the old one for Service-Signature until the given time', async () => {
    await using receiver = await startReceiver();
    await using _worker = await harness.startWorker();
    const { id, secret: old } = await harness.subscribe(receiver.url);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await rotate(id, { serviceSignatureUsesPreviousUntil: inAnHour });
    await harness.send([harness.event()]);
    const [request] = await receiver.waitFor(1);
    const text = request?.rawBody.toString() ?? '';
    expect(request?.headers['service-signature']).toBe(hmac(old, text));
    await delivered(id);
  });

  it('returns 400 for a body that is null, and keeps the secret', async () => {
    const { id } = await harness.subscribe(URL);
    const sealed = () => harness.database.query('SELECT sealed_secret FROM subscriptions');
    const before = await sealed();
    const answer = await harness.server.inject({
      method: 'POST',
      url: `/api/webhooks/${id}/rotate-secret`,
      headers: {
        authorization: `Bearer ${harness.issuer.issueToken({ sub: harness.accountId })}`,
        'content-type': 'application/json',
      },
      payload: 'null',
    });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'Bad Request']);
    expect(await sealed()).toEqual(before);
  });

  it('returns 422 for a time in the past or more than a day ahead', async () => {
    const { id } = await harness.subscribe(URL);
    for (const hours of [-1, 25]) {
      const time = new Date(Date.now() + hours * 3_600_000).toISOString();
      const refused = await rotate(id, { serviceSignatureUsesPreviousUntil: time });
      expect(refused).toMatchObject({ status: 422, body: { error: 'Validation Error' } });
    }
    for (const time of ['tomorrow', '0000-01-01T00:00:00Z', '2030-06-30T23:59:60Z']) {
      const { status } = await rotate(id, { serviceSignatureUsesPreviousUntil: time });
      expect(status).toBe(422);
    }
  });
});
