import { ERRORS } from '@atrium/contracts/errors';
import Schema from 'typebox/schema';
import type { Operation, WireRequest } from './requests.fixture.ts';
import type { NoAnswer, WireAnswer } from './wire.fixture.ts';

/** Node takes headers of up to 16 KiB together, the service bodies of up to 1 MiB. */
const HEADERS_MAX_BYTES = 15_000;
const BODY_MAX_BYTES = 1024 * 1024;

/** What is wrong with an answer; undefined when nothing is. */
export function faultOf(
  operation: Operation,
  sent: WireRequest,
  answer: WireAnswer | NoAnswer,
): string | undefined {
  if (typeof answer === 'string') {
    const isExcused = isTooLarge(sent) && (answer === 'hung up' || sent.method === 'HEAD');
    return isExcused ? undefined : answer;
  }
  const { status, headers } = answer;
  if (status >= 500) return `answered ${status}: ${answer.text}`;
  if (typeof headers['x-request-id'] !== 'string') return `${status} without x-request-id`;
  if (sent.method === 'HEAD' || sent.method === 'OPTIONS') return undefined;
  if (status >= 400) return errorFault(answer);
  // 304 only where it is declared, as every success.
  const isSuccess = (status >= 200 && status < 300) || status === 304;
  return isSuccess ? successFault(operation, sent, answer) : `answered ${status}`;
}

/**
 * A refusal may come while the request is still being sent, and its reader not see it. Of a request
 * whose head was not read to its end, the server cannot know that it must have no body (HEAD).
 */
function isTooLarge({ headers, path, body }: WireRequest): boolean {
  const head = path.length + JSON.stringify(headers).length;
  return head > HEADERS_MAX_BYTES || Buffer.byteLength(body ?? '') > BODY_MAX_BYTES;
}

function errorFault({ status, headers, text }: WireAnswer): string | undefined {
  if (!String(headers['content-type']).startsWith('application/json')) {
    return `${status} of type ${String(headers['content-type'])}`;
  }
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return `${status} with ${text.slice(0, 200)}`;
  const { error, message, ...rest } = body as Record<string, unknown>;
  const isShaped =
    typeof error === 'string' && typeof message === 'string' && Object.keys(rest).length === 0;
  if (!isShaped || message === '') return `${status} with ${text.slice(0, 200)}`;
  const expected: number | undefined = Object.entries(ERRORS).find(([name]) => name === error)?.[1];
  return expected === status ? undefined : `${status} with the error ${error}`;
}

function successFault(
  { responses = {} }: Operation,
  { operation, method }: WireRequest,
  { status, text }: WireAnswer,
): string | undefined {
  // With another method or a bent path it may be another operation's answer.
  if (!operation.startsWith(`${method} `)) return undefined;
  const declared = responses[String(status)];
  if (declared === undefined) return `answered ${status}, which it does not declare`;
  const schema = declared.content?.['application/json']?.schema;
  const isEmpty = status === 204 || status === 304;
  if (schema === undefined || isEmpty) {
    return text === '' || !isEmpty ? undefined : `${status} with a body`;
  }
  return Schema.Check(schema, parse(text))
    ? undefined
    : `${status} that does not match its schema: ${text.slice(0, 300)}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
