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
const right: Received = { body, secret, signature: sign(body), id: '', timestamp: '' };

const id = 'evt_1';
const timestamp = '1767225600';
const signStandard = (key: string | Buffer, text = body) =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
const standard: Received = { body, secret, signature: signStandard(bytes), id, timestamp };

test('finds nothing when body, secret and signature belong together', async () => {
  expect(await diagnose(right)).toEqual([]);
  expect(await diagnose(standard)).toEqual([]);
  const two = `${signStandard(randomBytes(32))} ${standard.signature}`;
  expect(await diagnose({ ...standard, signature: two })).toEqual([]);
});

test.each<[Finding, Partial<Received>]>([
  ['signatureSpaces', { signature: ` ${right.signature}\n` }],
  ['signatureUppercase', { signature: right.signature.toUpperCase() }],
  ['signatureFormat', { signature: 'abc=' }],
  ['secretSpaces', { secret: `${secret}\n` }],
  ['secretFormat', { secret: 'password' }],
  ['secretWithoutPrefix', { signature: sign(body, secret.slice('whsec_'.length)) }],
  ['secretDecoded', { signature: sign(body, bytes) }],
  ['bodySpaces', { body: `\uFEFF${body}\n` }],
  ['bodyLineBreaks', { body: '{\r\n}', signature: sign('{\n}') }],
  ['bodyReformatted', { body: JSON.stringify(JSON.parse(body), null, 2) }],
  ['bodyNotJson', { body: body.slice(0, -1) }],
  ['wrong', { body: body.replace('all', 'none') }],
])('finds %s', async (finding, change) => {
  expect(await diagnose({ ...right, ...change })).toEqual([finding]);
});

test.each<[Finding, Partial<Received>]>([
  ['standardFormat', { signature: 'v1,abc=' }],
  ['timestampFormat', { timestamp: '2026-01-01T00:00:00Z' }],
  ['secretNotDecoded', { signature: signStandard(secret) }],
  ['bodyReformatted', { body: JSON.stringify(JSON.parse(body), null, 2) }],
  ['standardWrong', { id: 'evt_2' }],
])('finds %s in a signature of Standard Webhooks', async (finding, change) => {
  expect(await diagnose({ ...standard, ...change })).toEqual([finding]);
});

test('finds two mistakes at once', async () => {
  const pasted = { ...right, secret: ` ${secret}`, body: `${body}\n` };
  expect(await diagnose(pasted)).toEqual(['secretSpaces', 'bodySpaces']);
});

test('finds every part that cannot be right', async () => {
  const received = { ...right, body: 'x', secret: 'y', signature: 'z' };
  expect(await diagnose(received)).toEqual(['signatureFormat', 'secretFormat', 'bodyNotJson']);
});
