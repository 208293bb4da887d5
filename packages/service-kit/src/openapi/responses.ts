import { STATUS_CODES } from 'node:http';
import {
  CODES_KEYWORD,
  ERROR_CODES,
  type ErrorCode,
  errorResponses,
  type ErrorResponse,
  GENERAL_CODES,
  type GeneralStatus,
} from '@atrium/contracts/errors';
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

type Responses = Record<string, Partial<ErrorResponse>>;

/** Adds error responses, as `errorResponses` makes them, to those of a route. */
export function withErrors(response: unknown, ...named: (GeneralStatus | ErrorCode)[]): Responses {
  const merged: Responses = { ...Object(response) };
  const added: Responses = errorResponses(...named);
  for (const [status, error] of Object.entries(added)) {
    const codes = [merged[status], error].flatMap((each) => each?.[CODES_KEYWORD] ?? []);
    merged[status] = { ...error, [CODES_KEYWORD]: [...new Set(codes)] };
  }
  return merged;
}

/** The declared responses, and those that the server itself gives before a handler runs. */
export function allResponses({ response }: FastifySchema, method: string | string[]): Responses {
  if (!(400 in Object(response))) return { ...Object(response) };
  return method === 'GET' ? withErrors(response, 422) : withErrors(response, 413, 415, 422);
}

/** All responses, as they are in the OpenAPI document. */
export function documentedResponses(
  schema: FastifySchema,
  method: string | string[],
): Record<string, object> {
  const responses = allResponses(schema, method);
  const { 400: error } = responses;
  if (error === undefined) return responses;
  const all = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, documented(status, response)]),
  );
  if (Object.keys(responses).some((status) => status.startsWith('2'))) return all;
  const { [CODES_KEYWORD]: _, ...body } = error;
  return { ...all, default: { ...body, [DESCRIPTION]: 'Any other error' } };
}

function documented(
  status: string,
  { [CODES_KEYWORD]: codes, ...schema }: Partial<ErrorResponse>,
): object {
  const [first] = codes ?? [];
  if (codes === undefined || first === undefined) {
    return { ...schema, [DESCRIPTION]: STATUS_CODES[status], headers: RATE_LIMIT };
  }
  const { error, meaning } = ERROR_CODES[first];
  return {
    ...schema,
    [DESCRIPTION]: [...new Set(codes.map((code) => ERROR_CODES[code].error))].join(' or '),
    examples: [{ error, message: meaning }],
    headers: {
      'error-code': {
        type: 'string',
        enum: codes,
        description: codes.map((code) => `${code}: ${ERROR_CODES[code].meaning}`).join('\n'),
      },
      ...RATE_LIMIT,
      ...(status === '429' || status === '503' ? RETRY_AFTER : {}),
    },
  };
}

/** The name of a documented response that any route can give: "NotFound". */
export function sharedName({
  headers,
}: {
  headers?: Record<string, { schema?: unknown }>;
}): string | undefined {
  const { enum: codes = [] }: { enum?: readonly string[] } = Object(
    headers?.['error-code']?.schema,
  );
  const general = Object.values(GENERAL_CODES).find((each) => each.join() === codes.join());
  return general && ERROR_CODES[general[0]].error.replaceAll(' ', '');
}
