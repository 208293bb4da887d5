import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { newId } from '@atrium/contracts/ids';
import { listen } from '@atrium/testkit/http-listener';
import { signToken } from '@atrium/testkit/tokens';

/** A key set whose keys and health a test decides. */
export interface KeyServer extends AsyncDisposable {
  url: string;
  /** How often the key set was asked for. */
  fetches: number;
  isBroken: boolean;
  /** Publishes one more key. */
  addKey(keyId: string): void;
  removeKey(keyId: string): void;
  publicPem(keyId: string): string;
  sign(keyId: string, claims?: Record<string, unknown>, header?: Record<string, unknown>): string;
}

export function claims(nowMs: number, changes: Record<string, unknown> = {}) {
  const nowSeconds = Math.floor(nowMs / 1000);
  return {
    iss: 'atrium',
    aud: 'atrium',
    sub: newId('usr'),
    sid: newId('ses'),
    plan: 'free',
    ev: true,
    iat: nowSeconds,
    exp: nowSeconds + 900,
    ...changes,
  };
}

export async function startKeyServer(): Promise<KeyServer> {
  const published = new Map<string, KeyObject>();
  const privateKeys = new Map<string, KeyObject>();
  const server = await listen((_request, response) => {
    state.fetches += 1;
    response.writeHead(state.isBroken ? 500 : 200, { 'content-type': 'application/json' });
    const keys = [...published].map(([kid, key]) => ({
      ...key.export({ format: 'jwk' }),
      kid,
      alg: 'EdDSA',
      use: 'sig',
    }));
    response.end(JSON.stringify({ keys }));
  });
  const state: KeyServer = {
    url: `${server.url}/.well-known/jwks.json`,
    fetches: 0,
    isBroken: false,
    addKey(keyId) {
      const pair = generateKeyPairSync('ed25519');
      published.set(keyId, pair.publicKey);
      privateKeys.set(keyId, pair.privateKey);
    },
    removeKey(keyId) {
      published.delete(keyId);
    },
    publicPem(keyId) {
      return published.get(keyId)?.export({ type: 'spki', format: 'pem' }).toString() ?? '';
    },
    sign(keyId, payload = claims(Date.now()), header = {}) {
      const key = privateKeys.get(keyId);
      if (key === undefined) throw new Error(`There is no key ${keyId}`);
      return signToken({ alg: 'EdDSA', typ: 'at+jwt', kid: keyId, ...header }, payload, key);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return state;
}
