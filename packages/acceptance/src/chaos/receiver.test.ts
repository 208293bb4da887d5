import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startVerifyingReceiver, type VerifyingReceiver } from './receiver.ts';
import { findSteadyPort } from './server.ts';

const SECRET = 'whsec_known';
const BODY = JSON.stringify({ event: 'go.click', data: { referrer: 'https://1.chaos.example/' } });
const marks: string[] = [];
let receiver: VerifyingReceiver;

beforeEach(async () => {
  marks.length = 0;
  receiver = await startVerifyingReceiver(await findSteadyPort(), (mark) => marks.push(mark));
  receiver.secret = SECRET;
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function deliver(secret: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(BODY).digest('hex');
  const headers = { 'service-signature': signature };
  return (await fetch(receiver.url, { method: 'POST', body: BODY, headers })).status;
}

test('only a delivery with a valid signature is taken in', async () => {
  expect([await deliver('whsec_other'), receiver.forged, marks]).toEqual([400, 1, []]);
  expect([await deliver(SECRET), receiver.forged]).toEqual([204, 1]);
  expect(marks).toEqual(['https://1.chaos.example/']);
});

test('a delivery that is answered 500 has not been taken in', async () => {
  receiver.answer = () => 500;
  expect([await deliver(SECRET), marks]).toEqual([500, []]);
});

test('a stopped receiver refuses connections until it is started on the same port', async () => {
  await receiver.stop();
  await expect(deliver(SECRET)).rejects.toThrow('fetch failed');
  await receiver.start();
  expect(await deliver(SECRET)).toBe(204);
});
