import {
  ERROR_CODES,
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  type ErrorName,
  type ErrorStatus,
} from '@atrium/contracts/errors';

export type ErrorHeaders = Record<string, string>;

/**
 * The one error type of the HTTP side; its code decides status and name. `message` is one sentence for a
 * person, sent as it is, and what the code means unless given; `cause` is logged and never sent.
 */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly headers: ErrorHeaders;

  constructor(
    code: ErrorCode,
    message: string = ERROR_CODES[code].meaning,
    options: { headers?: ErrorHeaders; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HttpError';
    this.code = code;
    this.headers = { ...options.headers, 'error-code': code };
  }

  get errorName(): ErrorName {
    return ERROR_CODES[this.code].error;
  }

  get status(): ErrorStatus {
    return ERRORS[this.errorName];
  }

  get body(): ErrorBody {
    return { error: this.errorName, message: this.message };
  }
}

/** 400: the request cannot be read (malformed, a required field missing, a wrong JSON type). */
export function badRequest(message: string): HttpError {
  return new HttpError('bad-request', message);
}

/** 404: `notFound('Link')` reads "Link not found". */
export function notFound(what: string): HttpError {
  return new HttpError('not-found', `${what} not found`);
}

/** 422: readable, but not valid (format, range, unknown value). */
export function validationError(message: string): HttpError {
  return new HttpError('validation-failed', message);
}

/** 429, with `Retry-After` in whole seconds. */
export function tooManyRequests(
  message: string | undefined,
  retryAfterSeconds: number,
  headers: ErrorHeaders = {},
): HttpError {
  return new HttpError('too-many-requests', message, {
    headers: { ...headers, 'retry-after': wholeSeconds(retryAfterSeconds) },
  });
}

/** 503, with `Retry-After` in whole seconds. */
export function unavailable(
  message: string | undefined,
  retryAfterSeconds: number = 5,
  cause?: unknown,
): HttpError {
  return new HttpError('unavailable', message, {
    headers: { 'retry-after': wholeSeconds(retryAfterSeconds) },
    cause,
  });
}

function wholeSeconds(seconds: number): string {
  return String(Math.max(1, Math.ceil(seconds)));
}
