import { until } from '@atrium/testkit/until';
import { type ApiResponse, call, text } from '../client.ts';
import { PUBLISHED_TYPE } from './markers.ts';
import type { LoadedPlatform } from './chaos-environment.ts';

/** The subscription of one fault, used through the API. */
export interface ChaosSubscription extends AsyncDisposable {
  secret: string;
  /** Whether any delivery is in this state; `undelivered` is each of the states but delivered. */
  hasAny(state: 'exhausted' | 'undelivered'): Promise<boolean>;
  /**
   * Redelivers everything exhausted since then and waits until all of it is due.
   * @returns the number of deliveries
   */
  recover(since: Date): Promise<number>;
}

/** The services may still be recovering from the fault. */
const POLLING = { timeoutMs: 60_000, intervalMs: 200 };

/** Subscribes the owner; disposal deletes the subscription with its deliveries. */
export async function subscribe(
  environment: LoadedPlatform,
  url: string,
): Promise<ChaosSubscription> {
  const { webhooks } = environment.platform.urls;
  const asOwner = (method: string, path: string, body?: object): Promise<ApiResponse> =>
    call(method, `${webhooks}${path}`, { token: environment.owner.accessToken, body });
  const created = await asOwner('POST', '/api/webhooks', {
    url,
    events: ['go.click', 'note.shared', 'auth.suspicious_login', PUBLISHED_TYPE],
  });
  const path = `/api/webhooks/${text(created.body, 'id')}`;

  function get(resource: string): Promise<ApiResponse> {
    return until(async () => {
      const response = await asOwner('GET', resource);
      return response.status === 200 ? response : undefined;
    }, POLLING);
  }

  return {
    secret: text(created.body, 'secret'),
    async hasAny(state) {
      const query = new URLSearchParams({ state, limit: '100' });
      for (;;) {
        const { body } = await get(`${path}/deliveries?${query.toString()}`);
        if ((body['data'] as unknown[]).length > 0) return true;
        // An empty page need not be the last.
        if (body['nextCursor'] === null) return false;
        query.set('cursor', text(body, 'nextCursor'));
      }
    },
    async recover(since) {
      const accepted = await asOwner('POST', `${path}/recover`, { since: since.toISOString() });
      if (accepted.status !== 202) throw new Error(`recover: ${JSON.stringify(accepted.body)}`);
      const recoveryPath = `${path}/recoveries/${text(accepted.body, 'id')}`;
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
