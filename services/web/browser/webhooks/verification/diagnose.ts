import { verifyWebhook } from '@atrium/client/webhooks';

export type Finding =
  | 'signatureFormat'
  | 'signatureUppercase'
  | 'signatureSpaces'
  | 'secretFormat'
  | 'secretSpaces'
  | 'secretDecoded'
  | 'secretWithoutPrefix'
  | 'bodyTrailing'
  | 'bodyLineBreaks'
  | 'bodyReformatted'
  | 'bodyNotJson'
  | 'wrong';

export interface Received {
  body: string;
  secret: string;
  signature: string;
}

const SIGNATURE = /^[0-9a-f]{64}$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/**
 * Finds out which part of a delivery does not fit, by mending one common mistake after the other until
 * it verifies.
 *
 * @returns nothing when it verifies as it is
 */
export async function diagnose(received: Received): Promise<Finding[]> {
  if (await verifies(received)) return [];
  const { body, secret, signature } = received;
  const mended: [Finding, Received][] = [
    ['signatureSpaces', { ...received, signature: signature.trim() }],
    ['signatureUppercase', { ...received, signature: signature.trim().toLowerCase() }],
    ['secretSpaces', { ...received, secret: secret.trim() }],
    ['secretWithoutPrefix', { ...received, secret: secret.replace(/^whsec_/, '') }],
    ['bodyTrailing', { ...received, body: body.trimEnd() }],
    ['bodyLineBreaks', { ...received, body: body.replaceAll('\r\n', '\n') }],
    ['bodyReformatted', { ...received, body: compact(body) }],
  ];
  for (const [finding, attempt] of mended) {
    if (await verifies(attempt)) return [finding];
  }
  if (await isMadeWithDecodedSecret(received)) return ['secretDecoded'];
  const findings: Finding[] = [];
  if (!SIGNATURE.test(signature)) findings.push('signatureFormat');
  if (!SECRET.test(secret)) findings.push('secretFormat');
  if (compact(body) === '') findings.push('bodyNotJson');
  return findings.length > 0 ? findings : ['wrong'];
}

async function verifies({ body, secret, signature }: Received): Promise<boolean> {
  try {
    const headers = { 'service-signature': signature };
    await verifyWebhook(body, headers, secret, { toleranceSeconds: Number.POSITIVE_INFINITY });
    return true;
  } catch {
    return false;
  }
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
