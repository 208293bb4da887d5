import type { ApiResponse } from '../client.ts';

const UNCLEAR_MAX = 20;

/** Whether a response tells a client to try again, as nothing was done: 503 with the error format. */
export function isUnavailable({ status, body: { error, message } }: ApiResponse): boolean {
  return status === 503 && error === 'Service Unavailable' && typeof message === 'string';
}

/** Whether the service lost Postgres during the COMMIT: the event may follow or not, as after a lost response. */
export function isOutcomeUnknown({ status, headers }: ApiResponse): boolean {
  return status === 500 && headers.get('error-code') === 'outcome-unknown';
}

/** The responses to requests that were not accepted during a fault. */
export class Rejections {
  /** How many were 503. */
  unavailable = 0;
  /** The first that say neither that nothing was done nor that the outcome is unknown. */
  readonly unclear: string[] = [];

  add(response: ApiResponse): void {
    if (isUnavailable(response)) {
      this.unavailable += 1;
    } else if (!isOutcomeUnknown(response) && this.unclear.length < UNCLEAR_MAX) {
      this.unclear.push(`${response.status} ${JSON.stringify(response.body)}`);
    }
  }
}
