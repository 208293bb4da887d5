import { createHmac, createPublicKey, verify } from 'node:crypto';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('DELETE FROM subscriptions'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const URL = 'https://93.184.216.34/hook';
const PUBLIC_KEY = /^whpk_[A-Za-z0-9+/]{43}=$/;
const post = (path: string, body: object) => harness.call(path, { method: 'POST', body });
const subscribe = async (url = URL, signature = 'ed25519') =>
  (await post('/api/webhooks', { url, events: ['note.shared'], signature })).body;
const rotate = (id: string, body: object = {}) => post(`/api/webhooks/${id}/rotate-secret`, body);
const publicKeysOf = async (id: string) => {
  const url = `/.well-known/webhook-keys/${id}`;
  const { statusCode, headers, body } = await harness.server.inject({ url });
  return { status: statusCode, cached: headers['cache-control'], body: JSON.parse(body) };
};

interface Received {
  headers: Record<string, string>;
  text: string;
}

/** By the specification of Standard Webhooks: its libraries for JavaScript and Svix's know only `v1`. */
function verifies(publicKey: string, { headers, text }: Received): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const [version, signature = ''] = each.split(',');
    const bytes = Buffer.from(signature, 'base64');
    return version === 'v1a' && verify(null, Buffer.from(signed), key, bytes);
  });
}

/** What a receiver gets of an event, after the subscription has been made and changed. */
async function receive(prepare: (url: string) => Promise<{ id: string }>): Promise<Received> {
  await using receiver = await startReceiver();
  await using _worker = await harness.startWorker();
  const { id } = await prepare(receiver.url);
  await harness.send([harness.event()]);
  const [request] = await receiver.waitFor(1);
  await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
  const headers = request?.headers as Record<string, string>;
  return { headers, text: request?.rawBody.toString() ?? '' };
}

describe('a subscription with ed25519', () => {
  it('signs with its key pair, and Service-Signature with its secret', async () => {
    let created = { id: '', secret: '', publicKey: '', signature: '' };
    const received = await receive(async (url) => (created = await subscribe(url)));
    expect(created).toMatchObject({
      signature: 'ed25519',
      publicKey: expect.stringMatching(PUBLIC_KEY),
      secret: expect.stringMatching(/^whsec_/),
    });
    const { headers, text } = received;
    expect(headers['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
    expect(verifies(created.publicKey, received)).toBe(true);
    expect(verifies(created.publicKey, { headers, text: `${text} ` })).toBe(false);
    const other = await subscribe();
    expect(verifies(other.publicKey, received)).toBe(false);
    const hmac = createHmac('sha256', created.secret).update(text).digest('hex');
    expect(headers['service-signature']).toBe(hmac);
  });

  it('shows its public key, also without a token, and its private key nowhere', async () => {
    const { id, secret, ...created } = await subscribe();
    const { body: shown } = await harness.call(`/api/webhooks/${id}`);
    expect(shown).toEqual({ id, ...created });
    expect(await publicKeysOf(id)).toEqual({
      status: 200,
      cached: 'public, max-age=300',
      body: { keys: [shown.publicKey] },
    });
    const stored = await harness.database.query('SELECT * FROM subscriptions');
    for (const text of [stored, created, shown].map((each) => JSON.stringify(each))) {
      expect(text).not.toContain('whsk_');
      expect(text).not.toContain(secret.slice(6));
    }
  });

  it('has no public key when it signs with HMAC, or is deleted', async () => {
    const hmac = await subscribe(URL, 'hmac');
    expect(hmac).toMatchObject({ signature: 'hmac', publicKey: null });
    const { id } = await subscribe();
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    for (const unknown of [hmac.id, id, 'whk_00000000000000000000000000', 'x']) {
      expect((await publicKeysOf(unknown)).status).toBe(404);
    }
    const refused = { url: URL, events: ['note.shared'], signature: 'rsa' };
    expect((await post('/api/webhooks', refused)).status).toBe(422);
  });
});

describe('a rotation', () => {
  it('replaces the key pair, and both sign for a day', async () => {
    const keys: string[] = [];
    const received = await receive(async (url) => {
      const created = await subscribe(url);
      const { body } = await rotate(created.id);
      keys.push(body.publicKey, created.publicKey);
      expect((await publicKeysOf(created.id)).body).toEqual({ keys });
      return created;
    });
    expect(new Set(keys).size).toBe(2);
    expect(keys.map((key) => verifies(key, received))).toEqual([true, true]);
    await harness.database.query('UPDATE subscriptions SET previous_secret_until = now()');
    const [{ id } = { id: '' }] = await harness.database.query<{ id: string }>(
      'SELECT id FROM subscriptions',
    );
    expect((await publicKeysOf(id)).body).toEqual({ keys: keys.slice(0, 1) });
  });

  it('changes the kind of signature, while what was before verifies for a day', async () => {
    let [secret, publicKey] = ['', ''];
    const received = await receive(async (url) => {
      const created = await subscribe(url, 'hmac');
      secret = created.secret;
      const { body } = await rotate(created.id, { signature: 'ed25519' });
      publicKey = body.publicKey;
      return created;
    });
    const { headers, text } = received;
    expect(headers['webhook-signature']).toMatch(/^v1a,\S+ v1,\S+$/);
    expect(verifies(publicKey, received)).toBe(true);
    expect(() => new Webhook(secret).verify(text, headers)).not.toThrow();
  });

  it('to HMAC publishes the public key for as long as it is used', async () => {
    const { id, publicKey } = await subscribe();
    expect((await rotate(id, { signature: 'hmac' })).body.publicKey).toBeNull();
    expect((await publicKeysOf(id)).body).toEqual({ keys: [publicKey] });
    const { body } = await harness.call(`/api/webhooks/${id}`);
    expect(body).toMatchObject({ signature: 'hmac', publicKey: null });
  });
});
