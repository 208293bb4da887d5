import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Account, Field } from './field.ts';
import { type Outcome, RawSocket } from './raw-request.ts';

const ACCOUNTS = 100;
const STREAMS_EACH = 10;
const HELD_MS = 10_000;

/** @param url of a stream of the account's */
function streams(name: string, url: (field: Field, account: StreamReader) => string): Attack {
  return {
    name: `streams-${name}`,
    title: `${ACCOUNTS * STREAMS_EACH} streams (${name}) of ${ACCOUNTS} unverified accounts`,
    async prepare(field) {
      const accounts = await field.createAccounts(ACCOUNTS, { isVerified: false });
      return async (answers, bystander) => {
        using stack = new DisposableStack();
        for (const account of accounts) {
          const opening = Array.from({ length: STREAMS_EACH }, async () => {
            const socket = stack.use(
              await RawSocket.open({ method: 'GET', url: url(field, account), account }),
            );
            await socket.send();
            answers.add(await socket.untilAnswered());
          });
          await Promise.all(opening);
        }
        const own = await open(url(field, bystander), bystander.token);
        await sleep(HELD_MS);
        return own === 200 ? [] : [`the bystander's own stream was answered ${own}`];
      };
    },
  };
}

type StreamReader = Pick<Account, 'noteId'>;

async function open(url: string, token: string): Promise<Outcome> {
  const account = { token, address: '10.250.0.1' };
  using socket = await RawSocket.open({ method: 'GET', url, account });
  await socket.send();
  return await socket.untilAnswered();
}

export const STREAMS: readonly Attack[] = [
  streams('deliveries', ({ urls }) => `${urls.webhooks}/api/deliveries/stream`),
  streams('presence', ({ urls }, { noteId }) => `${urls.notes}/api/notes/${noteId}/presence`),
];
