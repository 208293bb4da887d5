import { MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks/deliveries';
import { parseRetryAfterMs, retryDelayMs } from './retry-schedule.ts';

/** How one request ended; a failure is one without a complete response. */
export type Answer =
  | {
      kind: 'response';
      status: number;
      retryAfter?: string | undefined;
      /** Null when the response is a success. */
      headers: string | null;
      excerpt: string | null;
    }
  | { kind: 'failure'; error: string };

/** What an attempt means for its delivery. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number; error: string }
  | { kind: 'exhausted'; error: string }
  | { kind: 'gone'; error: string };

export interface OutcomeInput {
  answer: Answer;
  /** The place of the attempt in the retry schedule, from 1. */
  attempt: number;
  delaysMs: readonly number[];
  random: number;
  nowMs: number;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Only a 2xx delivers. A 410 disables the subscription; anything else is retried while it may be. */
export function decideOutcome(input: OutcomeInput): Outcome {
  const { answer, attempt } = input;
  if (answer.kind === 'response') {
    if (isSuccess(answer.status)) return { kind: 'delivered' };
    if (answer.status === 410) return { kind: 'gone', error: failureText(answer) };
  }
  const delayMs =
    attempt >= MAX_DELIVERY_ATTEMPTS
      ? undefined
      : retryDelayMs({ ...input, retryAfterMs: requestedDelayMs(answer, input.nowMs) });
  const error = failureText(answer);
  return delayMs === undefined ? { kind: 'exhausted', error } : { kind: 'retry', delayMs, error };
}

function requestedDelayMs(answer: Answer, nowMs: number): number | undefined {
  const mayAskForDelay =
    answer.kind === 'response' && (answer.status === 429 || answer.status === 503);
  return mayAskForDelay ? parseRetryAfterMs(answer.retryAfter, nowMs) : undefined;
}

function failureText(answer: Answer): string {
  if (answer.kind === 'failure') return answer.error;
  const redirect =
    answer.status >= 300 && answer.status < 400 ? ' (redirects are not followed)' : '';
  return `Answered ${answer.status}${redirect}`;
}
