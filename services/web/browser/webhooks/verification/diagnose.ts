import { verifyWebhook } from '@atrium/client/webhooks';

export type Finding =
  | 'signatureFormat'
  | 'signatureUppercase'
  | 'signatureSpaces'
  | 'standardFormat'
  | 'timestampFormat'
  | 'secretFormat'
  | 'secretSpaces'
  | 'secretDecoded'
  | 'secretNotDecoded'
  | 'secretWithoutPrefix'
  | 'bodyTrailing'
  | 'bodyLineBreaks'
  | 'bodyReformatted'
  | 'bodyNotJson'
  | 'wrong';

export interface Received {
  body: string;
  secret: string;
  /** Service-Signature, or webhook-signature, which is made of the other two headers too. */
  signature: string;
  id: string;
  timestamp: string;
}

const SIGNATURE = /^[0-9a-f]{64}$/;
/** One for each secret that is valid. */
const STANDARD_SIGNATURES = /^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$/;
const TIMESTAMP = /^\d{10}$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Whether it is of Standard Webhooks. */
export function isStandardSignature(signature: string): boolean {
  return /^\s*v\d/.test(signature);
}

/**
 * Finds out which part of a delivery does not fit, by mending one common mistake after the other until
 * it verifies.
 *
 * @returns nothing when it verifies as it is
 */
export async function diagnose(received: Received): Promise<Finding[]> {
  if (await verifies(received)) return [];
  const { body, secret, signature, timestamp } = received;
  const isStandard = isStandardSignature(signature);
  const mended: [Finding, Received][] = [
    ['signatureSpaces', { ...received, signature: signature.trim() }],
    ['signatureUppercase', { ...received, signature: signature.trim().toLowerCase() }],
    ['secretSpaces', { ...received, secret: secret.trim() }],
    ['secretWithoutPrefix', { ...received, secret: secret.replace(/^whsec_/, '') }],
    ['secretNotDecoded', { ...received, secret: toBase64(secret) }],
    ['bodyTrailing', { ...received, body: body.trimEnd() }],
    ['bodyLineBreaks', { ...received, body: body.replaceAll('\r\n', '\n') }],
    ['bodyReformatted', { ...received, body: compact(body) }],
  ];
  for (const [finding, attempt] of mended) {
    if (await verifies(attempt)) return [finding];
  }
  if (await isMadeWithDecodedSecret(received)) return ['secretDecoded'];
  const findings: Finding[] = [];
  if (isStandard && !STANDARD_SIGNATURES.test(signature)) findings.push('standardFormat');
  if (isStandard && !TIMESTAMP.test(timestamp)) findings.push('timestampFormat');
  if (!isStandard && !SIGNATURE.test(signature)) findings.push('signatureFormat');
  if (!SECRET.test(secret)) findings.push('secretFormat');
  if (compact(body) === '') findings.push('bodyNotJson');
  return findings.length > 0 ? findings : ['wrong'];
}

async function verifies({ body, secret, signature, id, timestamp }: Received): Promise<boolean> {
  const standard = {
    'webhook-id': id.trim(),
    'webhook-timestamp': timestamp.trim(),
    'webhook-signature': signature,
  };
  try {
    const headers = isStandardSignature(signature) ? standard : { 'service-signature': signature };
    await verifyWebhook(body, headers, secret, { toleranceSeconds: Number.POSITIVE_INFINITY });
    return true;
  } catch {
    return false;
  }
}

/** The secret that has the bytes of this text. */
function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** As JSON without spaces; empty when it is not JSON. */
function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return '';
  }
}

async function isMadeWithDecodedSecret({ body, secret, signature }: Received): Promise<boolean> {
  const pairs = SIGNATURE.test(signature) ? (signature.match(/../g) ?? []) : [];
  if (pairs.length === 0 || !SECRET.test(secret)) return false;
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  const given = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, given, new TextEncoder().encode(body));
}
