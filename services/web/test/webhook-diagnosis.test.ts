import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  diagnose,
  type Finding,
  type Received,
} from '../browser/webhooks/verification/diagnose.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const body = '{"id":"evt_1","event":"note.shared","data":{"title":"For all"}}';
const sign = (text: string, key: string | Buffer = secret) =>
  createHmac('sha256', key).update(text).digest('hex');
const right: Received = { body, secret, signature: sign(body) };

test('finds nothing when body, secret and signature belong together', async () => {
  expect(await diagnose(right)).toEqual([]);
});

test.each<[Finding, Partial<Received>]>([
  ['signatureSpaces', { signature: ` ${right.signature}\n` }],
  ['signatureUppercase', { signature: right.signature.toUpperCase() }],
  ['signatureFormat', { signature: 'v1,abc=' }],
  ['secretSpaces', { secret: `${secret}\n` }],
  ['secretFormat', { secret: 'password' }],
  ['secretWithoutPrefix', { signature: sign(body, secret.slice('whsec_'.length)) }],
  ['secretDecoded', { signature: sign(body, Buffer.from(secret.slice(6), 'base64')) }],
  ['bodyTrailing', { body: `${body}\n` }],
  ['bodyLineBreaks', { body: '{\r\n}', signature: sign('{\n}') }],
  ['bodyReformatted', { body: JSON.stringify(JSON.parse(body), null, 2) }],
  ['bodyNotJson', { body: body.slice(0, -1) }],
  ['wrong', { body: body.replace('all', 'none') }],
])('finds %s', async (finding, change) => {
  expect(await diagnose({ ...right, ...change })).toEqual([finding]);
});

test('finds every part that cannot be right', async () => {
  const received = { body: 'x', secret: 'y', signature: 'z' };
  expect(await diagnose(received)).toEqual(['signatureFormat', 'secretFormat', 'bodyNotJson']);
});
