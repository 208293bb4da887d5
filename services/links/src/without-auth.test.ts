import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@atrium/service-kit/database';
import { createTestDatabase } from '@atrium/testkit/database';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url));

it('is ready and redirects while the revoked sessions have never been read', async () => {
  await using owned = await createTestDatabase('links');
  await using db = openDatabase({ url: owned.url, applicationName: 'links-test' });
  await db.query(
    `INSERT INTO links (id, owner_id, slug, url)
     VALUES ('lnk_1', 'usr_1', 'welcome', 'https://example.com/')`,
  );
  const { url: redisUrl, queuePrefix } = testRedis();
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: owned.url,
      REDIS_URL: redisUrl,
      QUEUE_PREFIX: queuePrefix,
      AUTH_URL: 'http://127.0.0.1:1',
      LINKS_URL: 'https://go.example',
    },
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const url = await until(() => /"Server listening at (http[^"]+)"/.exec(output)?.[1]);
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    const answer = await fetch(`${url}/welcome`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('https://example.com/');
  } finally {
    child.kill();
    await closed;
  }
});
