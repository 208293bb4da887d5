import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { importSigningKeys, newSecret } from '../subscriptions/secrets.ts';
import { deliveryHeaders } from './signature.ts';

interface Options {
  previous?: string;
  servicePrevious?: boolean;
  ageSeconds?: number;
}

function sign(secret: string, text: string, options: Options = {}): Record<string, string> {
  const signers = {
    current: importSigningKeys(secret),
    previous: options.previous === undefined ? undefined : importSigningKeys(options.previous),
    servicePrevious: options.servicePrevious ?? false,
  };
  const list = deliveryHeaders(signers, {
    deliveryId: 'dlv_1',
    event: 'go.click',
    body: Buffer.from(text),
    timestampSeconds: Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 0),
  });
  const entries = Array.from({ length: list.length / 2 }, (_, i) => list.slice(2 * i, 2 * i + 2));
  return Object.fromEntries(entries);
}

const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

describe('the headers of a delivery', () => {
  it('carry the HMAC of the raw body keyed with the secret as it was shown', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const secret = newSecret();
        expect(sign(secret, text)['Service-Signature']).toBe(hmac(secret, text));
      }),
    );
  });

  it('are verified by the Standard Webhooks library', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const secret = newSecret();
        const verify = () => new Webhook(secret).verify(text, sign(secret, text));
        expect(verify).not.toThrow();
      }),
    );
  });

  it('are not verified with another body, another secret or an old timestamp', () => {
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

  it('lets receivers verify with either one', () => {
    const headers = sign(current, '{}', { previous });
    for (const secret of [current, previous]) {
      expect(() => new Webhook(secret).verify('{}', headers)).not.toThrow();
    }
    expect(() => new Webhook(newSecret()).verify('{}', headers)).toThrow('No matching');
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  });

  it('does not verify with the previous secret once it has expired', () => {
    const headers = sign(current, '{}');
    expect(() => new Webhook(previous).verify('{}', headers)).toThrow('No matching');
  });

  it('makes Service-Signature with the new secret, or with the previous one when asked to', () => {
    expect(sign(current, '{}', { previous })['Service-Signature']).toBe(hmac(current, '{}'));
    const kept = sign(current, '{}', { previous, servicePrevious: true });
    expect(kept['Service-Signature']).toBe(hmac(previous, '{}'));
    const expired = sign(current, '{}', { servicePrevious: true });
    expect(expired['Service-Signature']).toBe(hmac(current, '{}'));
  });
});
