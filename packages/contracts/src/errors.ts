import Type, { type Static } from 'typebox';
import { component } from './component.ts';

/** The errors of RFC 8628 section 3.5, which clients tell apart by these names. */
export const DEVICE_LOGIN_ERRORS = {
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
} as const;

/** Every value of the `error` field of an error response, with its HTTP status. */
export const ERRORS = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Email Not Verified': 403,
  'Account Suspended': 403,
  'Plan Limit Exceeded': 403,
  'Not Found': 404,
  Conflict: 409,
  'Precondition Failed': 412,
  'Payload Too Large': 413,
  'Unsupported Media Type': 415,
  'Validation Error': 422,
  'Precondition Required': 428,
  'Too Many Requests': 429,
  'Internal Server Error': 500,
  'Service Unavailable': 503,
  ...DEVICE_LOGIN_ERRORS,
} as const;

export type ErrorName = keyof typeof ERRORS;
export type ErrorStatus = (typeof ERRORS)[ErrorName];

/** The body of every error response: a type name for programs, one sentence for people. */
export const ErrorBody = component(
  'Error',
  Type.Object({ error: Type.String(), message: Type.String() }, { additionalProperties: false }),
  { error: 'Not Found', message: 'Link not found' },
);
export type ErrorBody = Static<typeof ErrorBody>;

type ErrorResponses<Status extends number> = { [S in Status]: typeof ErrorBody };

/**
 * The error responses of a route, to be spread beside its successes. Any request can also end in
 * 400, 429, 500 or 503, so these are always among them.
 */
export function errorResponses<const Status extends ErrorStatus = never>(
  ...statuses: Status[]
): ErrorResponses<Status | 400 | 429 | 500 | 503> {
  const all = [...new Set([...statuses, 400, 429, 500, 503])];
  return Object.fromEntries(all.map((status) => [status, ErrorBody])) as ErrorResponses<
    Status | 400 | 429 | 500 | 503
  >;
}
