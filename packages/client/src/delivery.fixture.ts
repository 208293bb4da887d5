import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

const ID = 'evt_01ky3m8q4vf0tb6w2c9hj5rxna';
export const BODY = JSON.stringify({
  id: ID,
  event: 'go.click',
  createdAt: '2026-01-31T09:30:00.000Z',
  data: { slug: 'grün' },
});

export function serviceSignature(secret = SECRET, body = BODY): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The headers of a delivery, as the dispatcher and the Standard Webhooks library make them. */
export function signed(
  options: { secret?: string; agoSeconds?: number } = {},
): Record<string, string> {
  const { secret = SECRET, agoSeconds = 0 } = options;
  const sentAt = new Date(Date.now() - agoSeconds * 1000);
  return {
    'service-signature': serviceSignature(secret),
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(ID, sentAt, BODY),
  };
}

const pair = generateKeyPairSync('ed25519');
const { x = '' } = pair.publicKey.export({ format: 'jwk' });
export const PUBLIC_KEY = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;

/** The headers of a delivery that signs with ed25519: `v1a` of the specification of Standard Webhooks. */
export function signedWithEd25519(
  options: { secret?: string; agoSeconds?: number } = {},
): Record<string, string> {
  const headers = signed(options);
  const text = `${ID}.${headers['webhook-timestamp']}.${BODY}`;
  const signature = sign(null, Buffer.from(text), pair.privateKey).toString('base64');
  return { ...headers, 'webhook-signature': `v1a,${signature}` };
}
