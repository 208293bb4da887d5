import type { ApiResponse } from '../client.ts';

const UNCLEAR_MAX = 20;

/** The responses to requests that were not accepted during a fault. */
export class Rejections {
  /** Responses that tell a client to try again: 503 with the error format. */
  unavailable = 0;
  /** The first of the other responses. */
  readonly unclear: string[] = [];

  add({ status, body }: ApiResponse): void {
    const { error, message } = body;
    if (status === 503 && error === 'Service Unavailable' && typeof message === 'string') {
      this.unavailable += 1;
    } else if (this.unclear.length < UNCLEAR_MAX) {
      this.unclear.push(`${status} ${JSON.stringify(body)}`);
    }
  }
}
