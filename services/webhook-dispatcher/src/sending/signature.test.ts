import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { importSigningKeys, newSecret } from '../subscriptions/secrets.ts';
import { deliveryHeaders } from './signature.ts';

interface Wish {
  previous?: string;
  servicePrevious?: boolean;
  ageSeconds?: number;
}

function sign(secret: string, text: string, wish: Wish = {}): Record<string, string> {
  const signers = {
    current: importSigningKeys(secret),
    previous: wish.previous === undefined ? undefined : importSigningKeys(wish.previous),
    servicePrevious: wish.servicePrevious ?? false,
  };
  const list = deliveryHeaders(signers, {
    deliveryId: 'dlv_1',
    event: 'go.click',
    body: Buffer.from(text),
    timestampSeconds: Math.floor(Date.now() / 1000) - (wish.ageSeconds ?? 0),
  });
  const entries = Array.from({ length: list.length / 2 }, (_, i) => list.slice(2 * i, 2 * i + 2));
  return Object.fromEntries(entries);
}

const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

describe('a delivery’s headers', () => {
  it('carry the HMAC of the raw body, keyed with the secret as it was shown', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const secret = newSecret();
        expect(sign(secret, text)['Service-Signature']).toBe(hmac(secret, text));
      }),
    );
  });

  it('verify by the Standard Webhooks library', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const secret = newSecret();
        const verify = () => new Webhook(secret).verify(text, sign(secret, text));
        expect(verify).not.toThrow();
      }),
    );
  });

  it('do not verify for another body, another secret or an old time', () => {
    const secret = newSecret();
    const headers = sign(secret, '{"a":1}');
    expect(() => new Webhook(secret).verify('{"a":2}', headers)).toThrow('No matching');
    expect(() => new Webhook(newSecret()).verify('{"a":1}', headers)).toThrow('No matching');
    const old = sign(secret, '{"a":1}', { ageSeconds: 301 });
    expect(() => new Webhook(secret).verify('{"a":1}', old)).toThrow('too old');
    const redated = { ...old, 'webhook-timestamp': headers['webhook-timestamp'] ?? '' };
    expect(() => new Webhook(secret).verify('{"a":1}', redated)).toThrow('No matching');
    const renamed = { ...headers, 'webhook-id': 'dlv_2' };
    expect(() => new Webhook(secret).verify('{"a":1}', renamed)).toThrow('No matching');
  });
});

describe('while a secret is being rotated', () => {
  const current = newSecret();
  const previous = newSecret();

  it('receivers verify with either one', () => {
    const headers = sign(current, '{}', { previous });
    for (const secret of [current, previous]) {
      expect(() => new Webhook(secret).verify('{}', headers)).not.toThrow();
    }
    expect(() => new Webhook(newSecret()).verify('{}', headers)).toThrow('No matching');
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  });

  it('the previous one stops verifying once it is not valid any more', () => {
    const headers = sign(current, '{}');
    expect(() => new Webhook(previous).verify('{}', headers)).toThrow('No matching');
  });

  it('Service-Signature is of the new one, or of the old one where that is wished', () => {
    expect(sign(current, '{}', { previous })['Service-Signature']).toBe(hmac(current, '{}'));
    const kept = sign(current, '{}', { previous, servicePrevious: true });
    expect(kept['Service-Signature']).toBe(hmac(previous, '{}'));
    const expired = sign(current, '{}', { servicePrevious: true });
    expect(expired['Service-Signature']).toBe(hmac(current, '{}'));
  });
});
