import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import Type from 'typebox';
import { ConfigError } from './config.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface RingKey {
  id: string;
  secret: Buffer;
}

/** `SECRETS_KEYS` and `MESSAGE_KEYS`, for the schema of a service's configuration. */
export const KeyRingEntries = Type.Array(
  Type.String({ pattern: '^\\s*[A-Za-z0-9_-]+:[A-Za-z0-9+/_-]{43}=?\\s*$' }),
  {
    minItems: 1,
    description: '32-byte keys as id:base64, separated by commas, the first of which encrypts',
  },
);

/**
 * The keys of `SECRETS_KEYS`. The first one encrypts and signs; the others still decrypt and verify
 * what was made before a change of keys.
 */
export interface KeyRing {
  /** AES-256-GCM; `context` is authenticated, so a text cannot be moved to another row. */
  encrypt(plaintext: string, context: string): string;
  /** @throws Error when the ring lacks the key, or the text was sealed for another context. */
  decrypt(sealed: string, context: string): string;
  /** Whether a sealed text names the first key as the one that encrypted it. */
  isCurrent(sealed: string): boolean;
  /**
   * HMAC-SHA256, one result per ring key, the current first. Each use, such as
   * `auth device-cookie`, has keys of its own, derived by HKDF (RFC 5869).
   */
  macs(use: string, text: string): [Buffer, ...Buffer[]];
  verifyMac(use: string, text: string, mac: Buffer): boolean;
}

/**
 * Parses `id:base64,id:base64,…`, 32 bytes each.
 *
 * @param variable that the entries are from
 * @throws ConfigError naming what is wrong with which key, never the key itself.
 */
export function parseKeyRing(entries: string[], variable = 'SECRETS_KEYS'): KeyRing {
  const keys = entries.map((entry) => parseKey(entry.trim(), variable));
  const [current, ...older] = keys;
  if (current === undefined) {
    throw new ConfigError([`${variable} must hold at least one key, as id:base64`]);
  }
  const ids = new Set(keys.map((key) => key.id));
  if (ids.size !== keys.length) {
    throw new ConfigError([`${variable} must not hold two keys with the same id`]);
  }
  return createKeyRing(current, older, variable);
}

function parseKey(entry: string, variable: string): RingKey {
  const colon = entry.indexOf(':');
  const id = entry.slice(0, colon);
  if (colon < 1 || !/^[A-Za-z0-9_-]+$/.test(id)) {
    throw new ConfigError([
      `${variable} must be written as id:base64, with ids of A-Z a-z 0-9 _ -`,
    ]);
  }
  const secret = Buffer.from(entry.slice(colon + 1), 'base64');
  if (secret.length !== KEY_BYTES) {
    throw new ConfigError([`${variable}: the key ${id} must be ${KEY_BYTES} bytes of base64`]);
  }
  return { id, secret };
}

function createKeyRing(current: RingKey, older: RingKey[], variable: string): KeyRing {
  const byId = new Map([current, ...older].map((key) => [key.id, key.secret]));
  const derived = new Map<string, KeyObject>();

  /** An imported key: with its bytes an HMAC takes several times as long. */
  function derive(use: string, key: RingKey): KeyObject {
    const name = `${use}/${key.id}`;
    let secret = derived.get(name);
    if (secret === undefined) {
      const bytes = hkdfSync('sha256', key.secret, '', `atrium ${use}`, KEY_BYTES);
      secret = createSecretKey(Buffer.from(bytes));
      derived.set(name, secret);
    }
    return secret;
  }

  const mac = (use: string, key: RingKey, text: string) =>
    createHmac('sha256', derive(use, key)).update(text).digest();

  return {
    encrypt(plaintext, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.secret, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([iv, text, cipher.getAuthTag()]);
      return `${current.id}.${sealed.toString('base64url')}`;
    },
    decrypt(sealed, context) {
      const [id = '', body = ''] = sealed.split('.');
      const secret = byId.get(id);
      if (secret === undefined) {
        throw new Error(`${variable} has no key ${JSON.stringify(id)}, which encrypted this`);
      }
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => sealed.startsWith(`${current.id}.`),
    macs(use, text) {
      return [mac(use, current, text), ...older.map((key) => mac(use, key, text))];
    },
    verifyMac(use, text, given) {
      return [current, ...older].some((key) => {
        const expected = mac(use, key, text);
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
    },
  };
}
