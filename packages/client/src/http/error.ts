import type { ErrorCode, ErrorName } from '../types.ts';

/** Failures without an error response of a service. */
export type ClientErrorName = 'Network Error' | 'Timeout' | 'Invalid Response';

/** Every failure of a call, except that an aborted call throws the reason of its signal. */
export class AtriumError extends Error {
  override readonly name = 'AtriumError';
  /** HTTP status; 0 when no response came. */
  readonly status: number;
  /** For programs. */
  readonly error: ErrorName | ClientErrorName;
  /** For programs: tells errors with the same status apart. A newer service may say others. */
  readonly code: ErrorCode | undefined;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** When the service asks to try again. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    error: ErrorName | ClientErrorName,
    message: string,
    details: {
      code?: ErrorCode | undefined;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = status;
    this.error = error;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** A failure that says nothing about the session or the request: another attempt may succeed. */
export function isTransient(error: unknown): error is AtriumError {
  return (
    error instanceof AtriumError &&
    (error.status === 0 || error.status === 429 || error.status >= 500)
  );
}

/** For a call that needs a session when there is none. */
export function unauthorized(message: string): AtriumError {
  return new AtriumError(401, 'Unauthorized', message);
}

export function isUnauthorized(error: unknown): error is AtriumError {
  return error instanceof AtriumError && error.status === 401;
}
