import { describe, expect, test } from 'vitest';
import {
  BODY,
  OTHER_SECRET,
  PUBLIC_KEY,
  SECRET,
  serviceSignature,
  signed,
  signedWithEd25519,
} from './delivery.fixture.ts';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

describe('verifyWebhook', () => {
  test.each([
    ['text', BODY],
    ['bytes', Buffer.from(BODY)],
    ['a buffer', new TextEncoder().encode(BODY).buffer],
  ])('returns the event when the body is %s', async (_, body) => {
    const event = await verifyWebhook(body, signed(), SECRET);
    expect(event).toEqual(JSON.parse(BODY));
  });

  test('reads headers as fetch and as Node have them', async () => {
    const headers = signed();
    const event = { event: 'go.click' };
    expect(await verifyWebhook(BODY, new Headers(headers), SECRET)).toMatchObject(event);
    const lists = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
    expect(await verifyWebhook(BODY, lists, SECRET)).toMatchObject(event);
  });

  test('accepts either secret during a rotation', async () => {
    for (const secret of [SECRET, OTHER_SECRET]) {
      const headers = signed({ secret });
      await expect(verifyWebhook(BODY, headers, [OTHER_SECRET, SECRET])).resolves.toBeDefined();
    }
  });

  test.each([
    ['the new', SECRET],
    ['the old', OTHER_SECRET],
  ])('accepts a delivery of a rotation when only %s secret is known', async (_, secret) => {
    const old = signed({ secret: OTHER_SECRET })['webhook-signature'];
    const rotated = signed();
    const headers = { ...rotated, 'webhook-signature': `${rotated['webhook-signature']} ${old}` };
    await expect(verifyWebhook(BODY, headers, secret)).resolves.toBeDefined();
  });

  test.each([
    ['the body was changed', signed(), `${BODY} `],
    ['it is signed with another secret', signed({ secret: OTHER_SECRET }), BODY],
    ['only webhook-signature is wrong', { ...signed(), 'webhook-signature': 'v1,aGFsbG8=' }, BODY],
    ['webhook-signature is not base64', { ...signed(), 'webhook-signature': 'v1,%' }, BODY],
    [
      'webhook-signature has another version',
      { ...signed(), 'webhook-signature': 'v2,aGFsbG8=' },
      BODY,
    ],
    ['webhook-timestamp is not a number', { ...signed(), 'webhook-timestamp': 'now' }, BODY],
    [
      'webhook-timestamp was changed',
      { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) },
      BODY,
    ],
    ['it was sent too long ago', signed({ agoSeconds: 400 }), BODY],
    ['it was sent in the future', signed({ agoSeconds: -400 }), BODY],
    ['the headers that carry the time are missing', without(signed(), 'webhook-timestamp'), BODY],
    ['nothing is signed', {}, BODY],
  ])('throws when %s', async (_, headers, body) => {
    await expect(verifyWebhook(body, headers, SECRET)).rejects.toThrow(WebhookVerificationError);
  });

  test('throws when there is no secret to compare with', async () => {
    await expect(verifyWebhook(BODY, signed(), [])).rejects.toThrow(WebhookVerificationError);
    await expect(verifyWebhook(BODY, signed({ secret: SECRET }), '')).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  test.each<[string, unknown, unknown]>([
    ['The secret is missing', BODY, undefined],
    ['The secret is missing', BODY, ''],
    ['pass it as it was received, before anything parses it', JSON.parse(BODY), SECRET],
    ['pass it as it was received, before anything parses it', undefined, SECRET],
    ['the body is not as it was received', JSON.stringify(JSON.parse(BODY), null, 2), SECRET],
  ])('says what is wrong with what it is given: %s', async (message, body, key) => {
    const verified = verifyWebhook(body as string, signed(), key as string);
    await expect(verified).rejects.toThrow(message);
    await expect(verified).rejects.toThrow(WebhookVerificationError);
  });

  describe('when any time is tolerated', () => {
    const options = { toleranceSeconds: Number.POSITIVE_INFINITY };

    test('accepts Service-Signature alone', async () => {
      const headers = { 'service-signature': serviceSignature() };
      await expect(verifyWebhook(BODY, headers, SECRET, options)).resolves.toBeDefined();
    });

    test.each([
      ['is missing', {}],
      ['is of another secret', { 'service-signature': serviceSignature(OTHER_SECRET) }],
      ['is not hexadecimal', { 'service-signature': 'x' }],
    ])('throws when Service-Signature %s', async (_, headers) => {
      await expect(verifyWebhook(BODY, headers, SECRET, options)).rejects.toThrow(
        WebhookVerificationError,
      );
    });
  });
});

describe('verifyWebhook with a public key', () => {
  const otherKey = `whpk_${Buffer.alloc(32, 3).toString('base64')}`;
  const both = `${signedWithEd25519()['webhook-signature']} ${signed()['webhook-signature']}`;
  const duringRotation = { ...signedWithEd25519(), 'webhook-signature': both };

  test.each([
    ['the public key alone', signedWithEd25519(), [PUBLIC_KEY]],
    ['the public key and the secret', signedWithEd25519(), [PUBLIC_KEY, SECRET]],
    ['one of two public keys', signedWithEd25519(), [otherKey, PUBLIC_KEY]],
    ['the public key, beside the HMAC of an old secret', duringRotation, [PUBLIC_KEY]],
    ['the old secret, beside the signature of a key pair', duringRotation, [SECRET]],
  ])('accepts %s', async (_, headers, keys) => {
    await expect(verifyWebhook(BODY, headers, keys)).resolves.toEqual(JSON.parse(BODY));
  });

  const forged = signed({ secret: PUBLIC_KEY.replace('whpk_', 'whsec_') });
  const forgedService = { 'service-signature': serviceSignature(PUBLIC_KEY) };
  test.each([
    ['the body was changed', signedWithEd25519(), `${BODY} `, PUBLIC_KEY],
    ['it is of another key', signedWithEd25519(), BODY, otherKey],
    ['the public key is used as a secret', { ...forged, ...forgedService }, BODY, PUBLIC_KEY],
    ['the public key has another length', signedWithEd25519(), BODY, 'whpk_aGFsbG8='],
    ['it is signed with a secret only', signed(), BODY, PUBLIC_KEY],
    ['only the secret is known', signedWithEd25519(), BODY, SECRET],
    ['Service-Signature stands alone', forgedService, BODY, PUBLIC_KEY],
  ])('throws when %s', async (_, headers, body, key) => {
    for (const toleranceSeconds of [300, Number.POSITIVE_INFINITY]) {
      await expect(verifyWebhook(body, headers, key, { toleranceSeconds })).rejects.toThrow(
        WebhookVerificationError,
      );
    }
  });
});
