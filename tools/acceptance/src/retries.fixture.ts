import { until } from '@atrium/testkit/until';
import { type ApiResponse, call, type RequestOptions } from './client.ts';

/** Sends a request again while a service that is too busy answers 503, having done nothing. */
export function callWithRetries(
  method: string,
  url: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  return until(async () => {
    const response = await call(method, url, options);
    return response.status === 503 ? undefined : response;
  });
}
