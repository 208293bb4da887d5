import { STATUS_CODES } from 'node:http';
import { DEVICE_LOGIN_ERRORS, ERRORS } from '@atrium/contracts/errors';
import type { FastifySchema } from 'fastify';

/** The keyword of @fastify/swagger that describes the response, not its schema. */
const DESCRIPTION = 'x-response-description';
const RETRY_AFTER = { 'retry-after': { type: 'integer', description: 'Seconds to wait' } };
/** On every response. */
const RATE_LIMIT = {
  'ratelimit-policy': { type: 'string', description: 'The limits: q requests in w seconds each' },
  ratelimit: {
    type: 'string',
    description: 'What is left of them: r requests, reset in t seconds',
  },
};

/** One message of each status, for the examples. */
const MESSAGES: Record<number, string> = {
  400: 'Name is required',
  401: 'Authentication required',
  403: 'Origin is not allowed',
  404: 'Page not found',
  409: 'Username is already taken',
  412: 'The note has changed since it was read',
  413: 'Request body is too large',
  415: 'Content-Type must be application/json',
  422: 'Email must be a valid email address',
  428: 'If-Match is required: send the ETag of the note you read',
  429: 'Too many requests, please try again later',
  500: 'Something went wrong on our side, please try again later',
  503: 'The service is temporarily unavailable, please try again shortly',
};

/** What `error` can say with a status on any route: "Forbidden", "Email Not Verified". */
export function errorNames(status: number): string[] {
  return Object.keys(ERRORS).filter(
    (name) => ERRORS[name as keyof typeof ERRORS] === status && !(name in DEVICE_LOGIN_ERRORS),
  );
}

function documented(status: string, schema: object): object {
  const code = Number(status);
  const names = errorNames(code);
  const [error] = names;
  if (error === undefined) {
    return { ...schema, [DESCRIPTION]: STATUS_CODES[code], headers: RATE_LIMIT };
  }
  return {
    ...schema,
    [DESCRIPTION]: names.join(' or '),
    examples: [{ error, message: MESSAGES[code] }],
    headers: { ...RATE_LIMIT, ...(code === 429 || code === 503 ? RETRY_AFTER : {}) },
  };
}

/** The declared responses, and those that the server itself gives before a handler runs. */
export function documentedResponses(
  { response }: FastifySchema,
  method: string | string[],
): Record<string, object> {
  const declared: Record<string, object> = Object.assign({}, response);
  const { 400: error } = declared;
  if (error === undefined) return declared;
  const readsBody = method !== 'GET';
  const responses = {
    ...declared,
    ...(readsBody ? { 413: error, 415: error } : {}),
    422: error,
  };
  const isSuccess = (status: string) => status.startsWith('2');
  return {
    ...Object.fromEntries(
      Object.entries(responses).map(([status, schema]) => [status, documented(status, schema)]),
    ),
    ...(Object.keys(responses).some(isSuccess)
      ? {}
      : { default: { ...error, [DESCRIPTION]: 'Any other error' } }),
  };
}
