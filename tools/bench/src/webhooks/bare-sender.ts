// The baseline of the webhook benchmarks: undici and one HMAC-SHA256, nothing stored, one process.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

const IN_FLIGHT = 100;
const [origin = '', count = '0', bodyText = ''] = process.argv.slice(2);
const body = Buffer.from(bodyText);
const key = createSecretKey(randomBytes(32));
const pool = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
let left = Number(count);

async function send(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const answer = await pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-signature': signature },
      body,
    });
    await answer.body.dump();
  }
}

const startedMs = performance.now();
await Promise.all(Array.from({ length: IN_FLIGHT }, send));
process.send?.({ perSecond: Number(count) / ((performance.now() - startedMs) / 1000) });
await pool.close();
process.disconnect();
