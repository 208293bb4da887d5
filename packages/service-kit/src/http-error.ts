import { ERRORS, type ErrorBody, type ErrorName, type ErrorStatus } from '@atrium/contracts/errors';

export type ErrorHeaders = Record<string, string>;

/**
 * The one error type of the HTTP side. `message` is one sentence for a person and is sent as it is;
 * `cause` is logged and never sent.
 */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  readonly errorName: ErrorName;
  readonly headers: ErrorHeaders;

  constructor(
    errorName: ErrorName,
    message: string,
    options: { headers?: ErrorHeaders; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HttpError';
    this.errorName = errorName;
    this.status = ERRORS[errorName];
    this.headers = options.headers ?? {};
  }

  get body(): ErrorBody {
    return { error: this.errorName, message: this.message };
  }
}

/** 400: the request cannot be read (malformed, a required field missing, a wrong JSON type). */
export function badRequest(message: string): HttpError {
  return new HttpError('Bad Request', message);
}

/** 401: credentials are missing or invalid. */
export function unauthorized(message: string, headers: ErrorHeaders = {}): HttpError {
  return new HttpError('Unauthorized', message, { headers });
}

/** 403: known, but not allowed. */
export function forbidden(message: string): HttpError {
  return new HttpError('Forbidden', message);
}

/** 403: the operation is sensitive and the account's email address is not verified yet. */
export function emailNotVerified(): HttpError {
  return new HttpError('Email Not Verified', 'Verify your email address first');
}

/** 403: an operator has suspended the account; said only to its owner. */
export function accountSuspended(): HttpError {
  return new HttpError('Account Suspended', 'This account is suspended');
}

/** 403: the account's plan does not allow more of this. */
export function planLimitExceeded(message: string): HttpError {
  return new HttpError('Plan Limit Exceeded', message);
}

/** 404: `notFound('Link')` reads "Link not found". */
export function notFound(what: string): HttpError {
  return new HttpError('Not Found', `${what} not found`);
}

/** 409: it would be a duplicate. */
export function conflict(message: string): HttpError {
  return new HttpError('Conflict', message);
}

/** 412: `If-Match` names a version that is no longer the current one. */
export function preconditionFailed(message: string): HttpError {
  return new HttpError('Precondition Failed', message);
}

/** 428: the change needs an `If-Match` (RFC 6585 section 3). */
export function preconditionRequired(message: string): HttpError {
  return new HttpError('Precondition Required', message);
}

/** 422: readable, but not valid (format, range, unknown value). */
export function validationError(message: string): HttpError {
  return new HttpError('Validation Error', message);
}

/** 429, with `Retry-After` in whole seconds. */
export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  headers: ErrorHeaders = {},
): HttpError {
  return new HttpError('Too Many Requests', message, {
    headers: { ...headers, 'retry-after': wholeSeconds(retryAfterSeconds) },
  });
}

/** 503, with `Retry-After` in whole seconds. */
export function unavailable(
  message: string,
  retryAfterSeconds: number = 5,
  cause?: unknown,
): HttpError {
  return new HttpError('Service Unavailable', message, {
    headers: { 'retry-after': wholeSeconds(retryAfterSeconds) },
    cause,
  });
}

function wholeSeconds(seconds: number): string {
  return String(Math.max(1, Math.ceil(seconds)));
}
