import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@atrium/testkit/http-listener';
import { until } from '@atrium/testkit/until';
import { call, text } from '../client.ts';
import type { Attack } from './attack.ts';

const WEBHOOKS = 10;
/** They make the worker hold as many deliveries of each webhook as it ever does. */
const SMALL_EVENTS = 200;
const LARGE_EVENTS = 100;
const LARGE_LENGTH = 250_000;
/** Just within what counts as a quick answer. */
const ANSWER_MS = 900;
const TYPE = 'attack.published';
const DELIVERED = { timeoutMs: 150_000, intervalMs: 500 };

export const LARGE_DELIVERIES: Attack = {
  name: 'deliveries',
  title: `${LARGE_EVENTS * WEBHOOKS} deliveries of 250 kB that wait, to a receiver that is nearly slow`,
  async prepare(field) {
    const { urls } = field;
    const { token } = await field.createAccount();
    const webhooks = `${urls.webhooks}/api/webhooks`;
    await call('PUT', `${urls.webhooks}/api/event-types/${TYPE}`, {
      token,
      body: { description: 'Published by the attacker', example: { text: 'x' } },
    });
    let received = 0;
    const receiver = await listen((message, response) => {
      const isLarge = Number(message.headers['content-length']) > LARGE_LENGTH;
      message.resume().on('end', () => {
        received += 1;
        setTimeout(() => response.writeHead(204).end(), isLarge ? ANSWER_MS : 0);
      });
    });
    const setPaused = async (id: string, paused: boolean) => {
      const changed = await call('PATCH', `${webhooks}/${id}`, { token, body: { paused } });
      if (changed.status !== 200) throw new Error(`a webhook was answered ${changed.status}`);
    };
    const ids: string[] = [];
    for (let n = 0; n < WEBHOOKS; n++) {
      const body = { url: `${receiver.url}/${n}`, events: [TYPE] };
      const id = text((await call('POST', webhooks, { token, body })).body, 'id');
      await setPaused(id, true);
      ids.push(id);
    }
    const publish = async (length: number) => {
      const body = { type: TYPE, data: { text: 'x'.repeat(length) } };
      for (;;) {
        const { status, headers } = await call('POST', `${urls.webhooks}/api/events`, {
          token,
          body,
        });
        if (status === 202) return;
        if (status !== 429) throw new Error(`an event was answered ${status}`);
        await sleep(Number(headers.get('retry-after')) * 1000);
      }
    };
    for (let n = 0; n < SMALL_EVENTS; n++) await publish(1);
    for (let n = 0; n < LARGE_EVENTS; n++) await publish(LARGE_LENGTH);
    return async () => {
      await using _receiver = receiver;
      for (const id of ids) await setPaused(id, false);
      await until(() => received >= WEBHOOKS * (SMALL_EVENTS + LARGE_EVENTS), DELIVERED);
    };
  },
};
