import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSecret } from '../subscriptions/secrets.ts';
import { deliveryHeaders, importSigningKeys } from './signature.ts';

function sign(secret: string, text: string): Record<string, string> {
  const list = deliveryHeaders(importSigningKeys(secret), {
    deliveryId: 'dlv_1',
    event: 'go.click',
    body: Buffer.from(text),
    timestampSeconds: Math.floor(Date.now() / 1000),
  });
  const entries = Array.from({ length: list.length / 2 }, (_, i) => list.slice(2 * i, 2 * i + 2));
  return Object.fromEntries(entries);
}

describe('a delivery’s headers', () => {
  it('carry the HMAC of the raw body, keyed with the secret as it was shown', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const secret = newSecret();
        const expected = createHmac('sha256', secret).update(text, 'utf8').digest('hex');
        expect(sign(secret, text)['Service-Signature']).toBe(expected);
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

  it('do not verify for another body or another secret', () => {
    const secret = newSecret();
    const headers = sign(secret, '{"a":1}');
    expect(() => new Webhook(secret).verify('{"a":2}', headers)).toThrow('No matching');
    expect(() => new Webhook(newSecret()).verify('{"a":1}', headers)).toThrow('No matching');
  });
});
