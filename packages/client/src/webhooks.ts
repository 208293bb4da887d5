import type {
  DeliveryBody,
  GoClickData,
  MemberAddedData,
  NoteCreatedData,
  NoteDeletedData,
  NoteSharedData,
  NoteUpdatedData,
  SuspiciousLoginData,
} from './types.ts';

/** The data of each event by its name. A product adds its own by `declare module '@atrium/client/webhooks'`. */
export interface WebhookEventData {
  'go.click': GoClickData;
  'note.created': NoteCreatedData;
  'note.updated': NoteUpdatedData;
  'note.deleted': NoteDeletedData;
  'note.shared': NoteSharedData;
  'workspace.member_added': MemberAddedData;
  'auth.suspicious_login': SuspiciousLoginData;
}

/** The body of a delivery. Its `id` is the same on every delivery of the event. */
export type WebhookEvent = {
  [Name in keyof WebhookEventData]: Omit<DeliveryBody, 'event' | 'data'> & {
    event: Name;
    data: WebhookEventData[Name];
  };
}[keyof WebhookEventData];

/** The headers of a request, as `fetch` or as Node has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /**
   * How far the time of sending may be from ours, which stops an old request from being sent again;
   * 300 by default. Infinity also accepts requests with Service-Signature alone, which carries no
   * time.
   */
  toleranceSeconds?: number;
}

/** The request is not from Atrium, or was sent too long ago. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /** What Fastify and Express answer when it is not caught. */
  readonly statusCode = 400;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const ED25519 = { name: 'Ed25519' };
const MISMATCH = 'does not match: it has another secret, or the body is not as it was received';
const PUBLIC_PREFIX = 'whpk_';

const encoder = new TextEncoder();

/**
 * Verifies a delivery by its headers of Standard Webhooks and returns its event. Service-Signature is not looked at
 * beside them: it holds one signature, which during a rotation need not be of the secret that is known here.
 *
 * @param rawBody exactly as received: parsed and written again it has another signature
 * @param key the secret (`whsec_…`) of the subscription or, when it signs with ed25519, its public key
 *   (`whpk_…`), or several of which one may be right
 * @throws WebhookVerificationError
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, secret);
 * if (event.event === 'go.click') console.log(event.data.slug);
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  key: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && Object(rawBody).byteLength === undefined) {
    fail('The body is not raw: pass it as it was received, before anything parses it');
  }
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : new Uint8Array(rawBody);
  // Types do not stop a variable of the environment that is not set.
  const given = [key].flat().filter(Boolean);
  if (given.length === 0) fail('The secret is missing');
  const secrets = given.filter((each) => !each.startsWith(PUBLIC_PREFIX));
  const publicKeys = given.filter((each) => each.startsWith(PUBLIC_PREFIX));
  const signature = header(headers, 'service-signature');
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (id !== undefined && timestamp !== undefined && signatures !== undefined) {
    const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
    // Not when it is NaN either.
    if (!(ageSeconds <= toleranceSeconds)) fail('webhook-timestamp is too far from the time here');
    const signed = join(encoder.encode(`${id}.${timestamp}.`), body);
    const list = signatures.split(' ').map((each) => each.split(','));
    const of = (version: string) =>
      list.flatMap(([name, value = '']) => (name === version ? [fromBase64(value)] : []));
    const keysOf = (texts: readonly string[], prefix: RegExp) =>
      texts.map((each) => fromBase64(each.replace(prefix, '')));
    const isVerified =
      (await matchesAny(ED25519, keysOf(publicKeys, /^whpk_/), of('v1a'), signed)) ||
      (await matchesAny(HMAC, keysOf(secrets, /^whsec_/), of('v1'), signed));
    if (!isVerified) fail(`webhook-signature ${MISMATCH}`);
  } else if (toleranceSeconds !== Number.POSITIVE_INFINITY || signature === undefined) {
    fail('webhook-id, webhook-timestamp or webhook-signature is missing');
  } else {
    const keys = secrets.map((each) => encoder.encode(each));
    if (!(await matchesAny(HMAC, keys, [fromHex(signature)], body))) {
      fail(`Service-Signature ${MISMATCH}`);
    }
  }
  return JSON.parse(new TextDecoder().decode(body));
}

function fail(message: string): never {
  throw new WebhookVerificationError(message);
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return Array.isArray(value) ? value.join(' ') : (value ?? undefined);
}

/** Whether one of the signatures is made with one of the keys; `verify` takes constant time. */
async function matchesAny(
  algorithm: typeof HMAC | typeof ED25519,
  keys: Uint8Array<ArrayBuffer>[],
  signatures: Uint8Array<ArrayBuffer>[],
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const bytes of keys.filter(({ length }) => length > 0)) {
    const key = await crypto.subtle
      .importKey('raw', bytes, algorithm, false, ['verify'])
      // A public key of another length.
      .catch(() => undefined);
    if (key === undefined) continue;
    for (const signature of signatures) {
      if (await crypto.subtle.verify(algorithm.name, key, signature, data)) return true;
    }
  }
  return false;
}

function join(
  first: Uint8Array<ArrayBuffer>,
  second: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** Nothing when it is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const pairs = /^[0-9a-f]{64}$/.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
