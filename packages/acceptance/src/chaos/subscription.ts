import { until } from '@atrium/testkit/until';
import { type Answer, call, text } from '../client.ts';
import type { World } from './world.ts';

/** The subscription of one fault, as its owner manages it. */
export interface ChaosSubscription extends AsyncDisposable {
  secret: string;
  /** Whether any delivery is in this state; `undelivered` is each of the states but delivered. */
  hasAny(state: 'exhausted' | 'undelivered'): Promise<boolean>;
  /**
   * Has everything that used up its attempts since then sent again, and waits until all of it is
   * due. Gives the number of deliveries.
   */
  recover(since: Date): Promise<number>;
}

/** The services may still be coming back from the fault. */
const POLLING = { timeoutMs: 60_000, intervalMs: 200 };

/** Subscribes the owner of the world; disposal ends the subscription with its deliveries. */
export async function subscribe(world: World, url: string): Promise<ChaosSubscription> {
  const { webhooks } = world.platform.urls;
  const asOwner = (method: string, path: string, body?: object): Promise<Answer> =>
    call(method, `${webhooks}${path}`, { token: world.owner.accessToken, body });
  const made = await asOwner('POST', '/api/webhooks', { url, events: ['go.click', 'note.shared'] });
  const path = `/api/webhooks/${text(made.body, 'id')}`;

  function get(ofPath: string): Promise<Answer> {
    return until(async () => {
      const answer = await asOwner('GET', ofPath);
      return answer.status === 200 ? answer : undefined;
    }, POLLING);
  }

  return {
    secret: text(made.body, 'secret'),
    async hasAny(state) {
      const query = new URLSearchParams({ state, limit: '100' });
      for (;;) {
        const { body } = await get(`${path}/deliveries?${query.toString()}`);
        if ((body['data'] as unknown[]).length > 0) return true;
        // A page may be empty and yet not be the last.
        if (body['nextCursor'] === null) return false;
        query.set('cursor', text(body, 'nextCursor'));
      }
    },
    async recover(since) {
      const asked = await asOwner('POST', `${path}/recover`, { since: since.toISOString() });
      if (asked.status !== 202) throw new Error(`recover: ${JSON.stringify(asked.body)}`);
      const recoveryPath = `${path}/recoveries/${text(asked.body, 'id')}`;
      return until(async () => {
        const { body } = await get(recoveryPath);
        return body['completedAt'] === null ? undefined : Number(body['recovered']);
      }, POLLING);
    },
    async [Symbol.asyncDispose]() {
      await asOwner('DELETE', path);
    },
  };
}
