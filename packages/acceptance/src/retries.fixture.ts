import { until } from '@atrium/testkit/until';
import { type Answer, call, type RequestOptions } from './client.ts';

/** Sends a request again while a service that is too busy answers 503, having done nothing. */
export function callWithRetries(
  method: string,
  url: string,
  options: RequestOptions = {},
): Promise<Answer> {
  return until(async () => {
    const answer = await call(method, url, options);
    return answer.status === 503 ? undefined : answer;
  });
}
