import { createHmac } from 'node:crypto';
import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSecret, sealHeaders } from '../subscriptions/secrets.ts';
import {
  leased,
  type LeaseOverrides,
  openTestSender,
  testDeliver,
  testKeyRing,
} from './sender.fixture.ts';

const keyRing = testKeyRing();

/** One attempt against a receiver that answers with this status. */
async function attempt(overrides: LeaseOverrides, status = 204) {
  await using receiver = await startReceiver({ respond: () => ({ status }) });
  await using sender = openTestSender();
  const delivery = leased(keyRing, `${receiver.url}/hook`, overrides);
  const made = await testDeliver(keyRing, sender.send)(delivery);
  if (made.outcome === 'postponed') throw new Error(made.reason);
  const [request] = receiver.requests;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request?.headers ?? {})) headers[name] = String(value);
  return { ...made, headers, text: request?.rawBody.toString() ?? '' };
}

const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');

describe('a delivery that is postponed', () => {
  const reason = 'a.example could not be resolved within 5000 ms';
  const postponed = (cause: 'lookup' | 'busy' | 'shutdown') =>
    testDeliver(keyRing, async () => ({
      answer: { kind: 'postponed', cause, reason },
      durationMs: 1,
    }));
  const daysAgo = (days: number) => Date.now() - days * 86_400_000;
  /** First postponed so long ago; never before when it is null. */
  const waiting = (days: number | null) =>
    leased(keyRing, 'https://a.example/', {
      id: newId('dlv', daysAgo(30)),
      postponedSinceMs: days === null ? null : daysAgo(days),
    });

  it.each([null, 0.9])('keeps its attempt for a day when a look-up times out', async (days) => {
    const result = await postponed('lookup')(waiting(days));
    expect(result).toEqual({ outcome: 'postponed', cause: 'lookup', reason, delayMs: 10_000 });
  });

  it('fails after that', async () => {
    const result = await postponed('lookup')(waiting(1.1));
    expect(result).toMatchObject({ outcome: 'retry', number: 1, status: null, error: reason });
  });

  it('keeps its attempt however long its address is busy', async () => {
    const result = await postponed('busy')(waiting(2));
    expect(result).toMatchObject({ outcome: 'postponed', delayMs: 1_000 });
  });

  it('keeps its attempt whatever its age when this process stops', async () => {
    const result = await postponed('shutdown')(waiting(2));
    expect(result).toMatchObject({ outcome: 'postponed', delayMs: 0 });
  });
});

describe('a delivery whose leases have expired again and again', () => {
  it('fails without being sent, as it may be what crashes the worker', async () => {
    const made = await attempt({ takeOvers: 3, attemptCount: 3 });
    const error = 'The worker ended during the attempt';
    expect(made).toMatchObject({ outcome: 'retry', number: 4, error, text: '' });
  });

  it('is sent in its last attempt, unless that goes on', async () => {
    const made = await attempt({ takeOvers: 10, attemptCount: 4 });
    expect(made).toMatchObject({ outcome: 'delivered', number: 5, status: 204 });
    const last = await attempt({ takeOvers: 11, attemptCount: 4 });
    expect(last).toMatchObject({ outcome: 'exhausted', number: 5, status: null });
  });
});

describe('an attempt', () => {
  it('is signed with both secrets while one is rotated', async () => {
    const secret = newSecret();
    const previous = newSecret();
    const previousSealedSecret = keyRing.encrypt(previous, 'whk_1');
    const { headers, text } = await attempt({ secret, endpoint: { previousSealedSecret } });
    for (const key of [secret, previous]) {
      expect(() => new Webhook(key).verify(text, headers)).not.toThrow();
    }
    expect(headers['service-signature']).toBe(hmac(secret, text));
  });

  it('uses the previous secret for Service-Signature until the time of the switch', async () => {
    const secret = newSecret();
    const previous = newSecret();
    const previousSealedSecret = keyRing.encrypt(previous, 'whk_1');
    const signsWithPrevious = true;
    const before = await attempt({ secret, endpoint: { previousSealedSecret, signsWithPrevious } });
    expect(before.headers['service-signature']).toBe(hmac(previous, before.text));
    const after = await attempt({ secret, endpoint: { previousSealedSecret } });
    expect(after.headers['service-signature']).toBe(hmac(secret, after.text));
    const expired = await attempt({ secret, endpoint: { signsWithPrevious } });
    expect(expired.headers['service-signature']).toBe(hmac(secret, expired.text));
  });

  it('carries the custom headers of the owner', async () => {
    const custom = { Authorization: 'Bearer abc', 'X-Tenant': 'seven  of nine' };
    const { headers, outcome } = await attempt({
      endpoint: { sealedHeaders: sealHeaders(keyRing, 'whk_1', custom) },
    });
    expect(outcome).toBe('delivered');
    expect(headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-tenant': 'seven  of nine',
      'content-type': 'application/json',
      'service-event': 'note.shared',
    });
  });

  it('fails without sending when the secret or the headers cannot be decrypted', async () => {
    const elsewhere = testKeyRing();
    for (const endpoint of [
      { sealedSecret: elsewhere.encrypt(newSecret(), 'whk_1') },
      { sealedSecret: keyRing.encrypt(newSecret(), 'whk_2') },
      { sealedHeaders: elsewhere.encrypt('{}', 'whk_1/headers') },
      { sealedHeaders: keyRing.encrypt('{}', 'whk_1') },
      { previousSealedSecret: elsewhere.encrypt(newSecret(), 'whk_1') },
    ]) {
      const { error, outcome, text } = await attempt({ endpoint });
      expect({ outcome, error, text }).toEqual({
        outcome: 'retry',
        error: 'The secret or the headers cannot be opened with the configured keys',
        text: '',
      });
    }
  });

  it.each([
    [0, 5, 1, 1_000],
    [3, 5, 4, 4_000],
    [5, 10, 6, 1_000],
    [1, 6, 2, 1_000],
    [8, 10, 9, 4_000],
  ])('after %i of %i attempts is number %i and retried in %i ms', async (...numbers) => {
    const [attemptCount, attemptsAllowed, number, nextAttemptInMs] = numbers;
    const made = await attempt({ attemptCount, attemptsAllowed }, 500);
    expect(made).toMatchObject({ outcome: 'retry', number, nextAttemptInMs });
  });

  it.each([
    [4, 5],
    [9, 10],
  ])('exhausts the delivery when it fails after %i of %i attempts', async (...numbers) => {
    const [attemptCount, attemptsAllowed] = numbers;
    const made = await attempt({ attemptCount, attemptsAllowed }, 500);
    expect(made).toMatchObject({ outcome: 'exhausted', nextAttemptInMs: null });
  });

  it('finds the endpoint gone when it answers 410', async () => {
    const made = await attempt({}, 410);
    expect(made).toMatchObject({ outcome: 'gone', nextAttemptInMs: null });
  });
});
