import { databaseUrl } from '@atrium/local-stack/servers';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { openDatabase } from '@atrium/service-kit/database';
import { expect, test } from 'vitest';
import { CHROME_ON_LINUX, createPerson } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { atrium } from './platform.ts';

const { auth, links, webhooks } = atrium.urls;

test('a delivery is sent again and counted once when its worker is killed before recording it', async () => {
  const worker = atrium.platform.process('worker');
  let killed: Promise<void> | undefined;
  await using receiver = await startReceiver({
    // The worker is killed before it can record the response.
    respond: (n) => {
      if (n === 1) killed = worker.kill('SIGKILL');
      return { status: 200 };
    },
  });
  const { accessToken: token } = await createPerson(auth, atrium.mailbox, 'grace');
  const subscription = await call('POST', `${webhooks}/api/webhooks`, {
    token,
    body: { url: receiver.url, events: ['go.click'] },
  });
  const link = await call('POST', `${links}/api/links`, {
    token,
    body: { url: 'https://example.com/' },
  });
  await call('GET', text(link.body, 'shortUrl'), { headers: { 'user-agent': CHROME_ON_LINUX } });
  await receiver.waitFor(1);
  await killed;

  const list = `${webhooks}/api/webhooks/${text(subscription.body, 'id')}/deliveries`;
  const deliveries = async () =>
    (await call('GET', list, { token })).body['data'] as Record<string, unknown>[];
  expect(await deliveries()).toMatchObject([{ state: 'pending', attemptCount: 0 }]);
  // Otherwise the lease would expire a minute later.
  await using database = openDatabase({
    url: databaseUrl(atrium.platform.databaseServerUrl, 'atrium_webhooks'),
    applicationName: 'acceptance',
  });
  await database.query('UPDATE undelivered SET leased_until = now()');
  await worker.restart();
  await until(async () => (await deliveries())[0]?.['state'] === 'delivered');

  expect(await deliveries()).toMatchObject([{ state: 'delivered', attemptCount: 1 }]);
  const [first, second, ...more] = receiver.requests;
  expect(more).toEqual([]);
  expect(second?.headers['service-delivery']).toBe(first?.headers['service-delivery']);
  expect(second?.rawBody).toEqual(first?.rawBody);
});
