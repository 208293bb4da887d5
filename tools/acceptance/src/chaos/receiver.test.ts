import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startVerifyingReceiver, type VerifyingReceiver } from './receiver.ts';
import { findSteadyPort } from './breakable-server.ts';

const SECRET = 'whsec_known';
const BODY = JSON.stringify({
  id: 'evt_1',
  event: 'go.click',
  data: { referrer: 'https://1.chaos.example/' },
});
const markers: string[] = [];
let receiver: VerifyingReceiver;

beforeEach(async () => {
  markers.length = 0;
  receiver = await startVerifyingReceiver(await findSteadyPort(), (marker) => markers.push(marker));
  receiver.secret = SECRET;
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function deliver(secret: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(BODY).digest('hex');
  const headers = { 'service-signature': signature };
  return (await fetch(receiver.url, { method: 'POST', body: BODY, headers })).status;
}

test('accepts only a delivery with a valid signature', async () => {
  expect([await deliver('whsec_other'), receiver.forged, markers]).toEqual([400, 1, []]);
  expect([await deliver(SECRET), receiver.forged]).toEqual([204, 1]);
  expect(markers).toEqual(['https://1.chaos.example/']);
});

test('does not accept a delivery that it answers with 500', async () => {
  receiver.respond = () => 500;
  expect([await deliver(SECRET), markers]).toEqual([500, []]);
});

test('refuses connections from stop to start, and keeps its port', async () => {
  await receiver.stop();
  await expect(deliver(SECRET)).rejects.toThrow('fetch failed');
  await receiver.start();
  expect(await deliver(SECRET)).toBe(204);
});
