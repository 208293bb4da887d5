import { newId } from '@atrium/contracts/ids';
import { openDatabase } from '@atrium/service-kit/database';
import { type KeyRing, parseKeyRing } from '@atrium/service-kit/key-ring';
import { createTestDatabase } from '@atrium/testkit/database';
import { startReceiver } from '@atrium/testkit/receiver';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPrisma, type Database } from '../database.ts';
import { leased, newKey, openTestSender, testDeliver } from '../sending/sender.fixture.ts';
import { openDestination, sealDestination } from './destination.ts';
import { reencryptAll } from './reencrypt.ts';
import { createSealedStore, type SealedStore } from './sealed-store.ts';
import { createSubscriptionSecrets, newSecret, sealHeaders, sealSecret } from './secrets.ts';

const stack = new AsyncDisposableStack();
let database: Database;
let store: SealedStore;
beforeEach(async () => {
  const { url } = stack.use(await createTestDatabase('webhooks'));
  database = stack.use(openDatabase({ url, max: 2, applicationName: 'test', createPrisma }));
  store = createSealedStore(database);
});
afterAll(() => stack.disposeAsync());

const [oldKey, newerKey] = [newKey('old'), newKey('newer')];
const oldRing = parseKeyRing([oldKey]);
const bothRing = parseKeyRing([newerKey, oldKey]);
const newerRing = parseKeyRing([newerKey]);

const DESTINATION = { kind: 'redis', stream: 'events' } as const;

async function subscribe(keyRing: KeyRing, overrides: { previous?: string; header?: string } = {}) {
  const id = newId('whk');
  const secret = newSecret();
  await database.query(
    `INSERT INTO subscriptions
      (id, account_id, url, events, sealed_secret, previous_sealed_secret, sealed_headers,
       sealed_destination)
     VALUES ($1, 'usr_1', 'https://a.example', '{go.click}', $2, $3, $4, $5)`,
    [
      id,
      keyRing.encrypt(secret, id),
      overrides.previous === undefined ? null : keyRing.encrypt(overrides.previous, id),
      overrides.header === undefined ? null : sealHeaders(keyRing, id, { 'X-A': overrides.header }),
      sealDestination(keyRing, id, DESTINATION),
    ],
  );
  return { id, secret };
}

const rows = () => store.read('', 5_000);

describe('re-encryption', () => {
  it('lets deliveries be signed with the new key alone', async () => {
    const previous = newSecret();
    const { id, secret } = await subscribe(oldRing, { previous, header: 'kept' });
    await subscribe(oldRing);
    await subscribe(newerRing);
    const done = await reencryptAll({ store, keyRing: bothRing });
    expect(done).toEqual({ reencrypted: 2, unopened: [], isComplete: true });

    const row = (await rows()).find((each) => each.id === id);
    const destination = openDestination(newerRing, id, row?.sealedDestination ?? '');
    expect(destination).toEqual(DESTINATION);
    await using receiver = await startReceiver();
    await using sender = openTestSender();
    const delivery = leased(newerRing, receiver.url, {
      subscriptionId: id,
      endpoint: {
        sealedSecret: row?.sealedSecret ?? '',
        previousSealedSecret: row?.previousSealedSecret ?? '',
        sealedHeaders: row?.sealedHeaders ?? '',
      },
    });
    expect((await testDeliver(newerRing, sender.send)(delivery)).outcome).toBe('delivered');
    const [request] = receiver.requests;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request?.headers ?? {})) {
      headers[name] = String(value);
    }
    expect(headers['x-a']).toBe('kept');
    for (const key of [secret, previous]) {
      expect(() => new Webhook(key).verify(delivery.body, headers)).not.toThrow();
    }
  });

  it('covers the private key of a subscription with ed25519', async () => {
    const { id } = await subscribe(oldRing);
    const pair = { secret: newSecret(), signature: 'ed25519' } as const;
    const { sealedSecret } = sealSecret(oldRing, id, pair);
    const change = 'UPDATE subscriptions SET sealed_secret = $2 WHERE id = $1';
    await database.query(change, [id, sealedSecret]);
    await reencryptAll({ store, keyRing: bothRing });
    const row = (await rows()).find((each) => each.id === id);
    const keys = [
      createSubscriptionSecrets(oldRing).keysOf(id, sealedSecret),
      createSubscriptionSecrets(newerRing).keysOf(id, row?.sealedSecret ?? ''),
    ].map(({ standard }) => standard.export({ format: 'jwk' }).d);
    expect(keys[0]).toHaveLength(43);
    expect(keys[1]).toBe(keys[0]);
  });

  it('changes nothing when it runs again', async () => {
    await subscribe(oldRing);
    await reencryptAll({ store, keyRing: bothRing });
    const before = await rows();
    const again = await reencryptAll({ store, keyRing: bothRing });
    expect(again).toEqual({ reencrypted: 0, unopened: [], isComplete: true });
    expect(await rows()).toEqual(before);
  });

  it('continues after the batch at which it was stopped', async () => {
    const ids = Array.from({ length: 1_100 }, () => newId('whk'));
    await database.query(
      `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
       SELECT id, 'usr_1', 'https://a.example', '{go.click}', secret
       FROM unnest($1::text[], $2::text[]) AS s (id, secret)`,
      [ids, ids.map((id) => oldRing.encrypt(newSecret(), id))],
    );
    const abort = new AbortController();
    const stopping: SealedStore = {
      read: (after, limit) => store.read(after, limit),
      replace(from, to) {
        abort.abort();
        return store.replace(from, to);
      },
    };
    const first = await reencryptAll({ store: stopping, keyRing: bothRing, signal: abort.signal });
    expect(first).toEqual({ reencrypted: 500, unopened: [], isComplete: false });
    const second = await reencryptAll({ store, keyRing: bothRing });
    expect(second).toEqual({ reencrypted: 600, unopened: [], isComplete: true });
    expect((await rows()).every(({ sealedSecret }) => newerRing.isCurrent(sealedSecret))).toBe(
      true,
    );
  });

  it('does not overwrite a secret that is rotated meanwhile', async () => {
    const { id } = await subscribe(oldRing);
    const rotated = newSecret();
    let rotations = 0;
    const racing: SealedStore = {
      async read(after, limit) {
        const found = await store.read(after, limit);
        if (rotations === 0) {
          rotations += 1;
          await database.query('UPDATE subscriptions SET sealed_secret = $2 WHERE id = $1', [
            id,
            oldRing.encrypt(rotated, id),
          ]);
        }
        return found;
      },
      replace: (from, to) => store.replace(from, to),
    };
    const done = await reencryptAll({ store: racing, keyRing: bothRing });
    expect(done).toEqual({ reencrypted: 1, unopened: [], isComplete: true });
    const [row] = await rows();
    expect(newerRing.decrypt(row?.sealedSecret ?? '', id)).toBe(rotated);
  });

  it('names what no key decrypts and re-encrypts the rest', async () => {
    const lost = await subscribe(parseKeyRing([newKey('lost')]));
    await subscribe(oldRing);
    const done = await reencryptAll({ store, keyRing: bothRing });
    expect(done).toEqual({ reencrypted: 1, unopened: [lost.id], isComplete: true });
  });
});
