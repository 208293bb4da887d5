import { verifyWebhook } from '@atrium/client/webhooks';

export type Finding =
  | 'signatureFormat'
  | 'signatureUppercase'
  | 'signatureSpaces'
  | 'standardFormat'
  | 'timestampFormat'
  | 'secretFormat'
  | 'publicKeyNeeded'
  | 'secretNeeded'
  | 'secretSpaces'
  | 'secretDecoded'
  | 'secretNotDecoded'
  | 'secretWithoutPrefix'
  | 'bodySpaces'
  | 'bodyLineBreaks'
  | 'bodyReformatted'
  | 'bodyNotJson'
  | 'wrong'
  | 'standardWrong';

export interface Received {
  body: string;
  /** Or the public key, of `v1a`. */
  secret: string;
  /** Service-Signature, or webhook-signature, which is made of the other two headers too. */
  signature: string;
  id: string;
  timestamp: string;
}

const SIGNATURE = /^[0-9a-f]{64}$/;
/** One for each secret or key pair that is valid. */
const STANDARD_SIGNATURES = /^((v1,[A-Za-z0-9+/]{43}=|v1a,[A-Za-z0-9+/]{86}==)( (?!$)|$))+$/;
const OF_KEY_PAIR = /(^| )v1a,/;
const OF_SECRET = /(^| )v1,|^[^,]*$/;
const TIMESTAMP = /^\d{10}$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const PUBLIC_KEY = /^whpk_[A-Za-z0-9+/]{43}=$/;

/** Whether it is of Standard Webhooks. */
export function isStandardSignature(signature: string): boolean {
  return /^\s*v\d/.test(signature);
}

/** Common mistakes, each with what mends it. */
const MENDS: readonly [Finding, (received: Received) => Received][] = [
  ['signatureSpaces', (r) => ({ ...r, signature: r.signature.trim() })],
  ['signatureUppercase', (r) => ({ ...r, signature: r.signature.trim().toLowerCase() })],
  ['secretSpaces', (r) => ({ ...r, secret: r.secret.trim() })],
  ['secretWithoutPrefix', (r) => ({ ...r, secret: r.secret.replace(/^whsec_/, '') })],
  ['secretNotDecoded', (r) => ({ ...r, secret: toBase64(r.secret) })],
  ['bodySpaces', (r) => ({ ...r, body: r.body.trim() })],
  ['bodyLineBreaks', (r) => ({ ...r, body: r.body.replaceAll('\r\n', '\n') })],
  ['bodyReformatted', (r) => ({ ...r, body: compact(r.body) })],
];

/**
 * Finds out which part of a delivery does not fit, by mending one common mistake after the other until
 * it verifies, then two of them together.
 *
 * @returns nothing when it verifies as it is
 */
export async function diagnose(received: Received): Promise<Finding[]> {
  if (await verifies(received)) return [];
  for (const [finding, mend] of MENDS) {
    if (await verifies(mend(received))) return [finding];
  }
  if (await isMadeWithDecodedSecret(received)) return ['secretDecoded'];
  for (const [index, [finding, mend]] of MENDS.entries()) {
    for (const [other, mendOther] of MENDS.slice(index + 1)) {
      if (await verifies(mendOther(mend(received)))) return [finding, other];
    }
  }
  return impossiblePartsOf(received);
}

function impossiblePartsOf({ body, secret, signature, timestamp }: Received): Finding[] {
  const isStandard = isStandardSignature(signature);
  const findings: Finding[] = [];
  if (isStandard && !STANDARD_SIGNATURES.test(signature)) findings.push('standardFormat');
  if (isStandard && !TIMESTAMP.test(timestamp)) findings.push('timestampFormat');
  if (!isStandard && !SIGNATURE.test(signature)) findings.push('signatureFormat');
  if (!SECRET.test(secret) && !PUBLIC_KEY.test(secret)) findings.push('secretFormat');
  if (compact(body) === '') findings.push('bodyNotJson');
  if (findings.length > 0) return findings;
  if (SECRET.test(secret) && !OF_SECRET.test(signature)) return ['publicKeyNeeded'];
  if (PUBLIC_KEY.test(secret) && !OF_KEY_PAIR.test(signature)) return ['secretNeeded'];
  return [isStandard ? 'standardWrong' : 'wrong'];
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
