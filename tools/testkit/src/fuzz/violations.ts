import { ERROR_CODES, ERRORS } from '@atrium/contracts/errors';
import Schema from 'typebox/schema';
import type { Operation, FuzzRequest } from './requests.ts';
import type { NoResponse, FuzzResponse } from './http-client.ts';

/** Node accepts 16 KiB of headers, the service bodies of 1 MiB. */
const HEADERS_MAX_BYTES = 15_000;
const BODY_MAX_BYTES = 1024 * 1024;
const REDIRECTS = new Set([302, 304]);

/** What is wrong with a response; undefined when it is correct. */
export function violationOf(
  operation: Operation,
  sent: FuzzRequest,
  answer: FuzzResponse | NoResponse,
): string | undefined {
  if (typeof answer === 'string') {
    const isHead = sent.method === 'HEAD';
    const isExcused =
      (isTooLarge(sent) && (answer === 'connection closed' || isHead)) ||
      (isHead && /[^\x21-\x7e]/.test(sent.path));
    return isExcused ? undefined : answer;
  }
  const { status, headers } = answer;
  if (status >= 500) return `answered ${status}: ${answer.text}`;
  if (typeof headers['x-request-id'] !== 'string') return `${status} without x-request-id`;
  if (sent.method === 'HEAD' || sent.method === 'OPTIONS') return undefined;
  if (status >= 400) return errorViolation(operation, sent, answer);
  // Like every success, a redirect must be declared.
  const isSuccess = (status >= 200 && status < 300) || REDIRECTS.has(status);
  return isSuccess ? successViolation(operation, sent, answer) : `answered ${status}`;
}

/**
 * The server may refuse a request while it is still being sent, and the client miss the response. When
 * the server cannot read the whole head, it does not know that a HEAD response has no body.
 */
function isTooLarge({ headers, path, body }: FuzzRequest): boolean {
  const head = path.length + JSON.stringify(headers).length;
  return head > HEADERS_MAX_BYTES || Buffer.byteLength(body ?? '') > BODY_MAX_BYTES;
}

function errorViolation(
  { responses = {} }: Operation,
  sent: FuzzRequest,
  { status, headers, text }: FuzzResponse,
): string | undefined {
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
  if (expected !== status) return `${status} with the error ${error}`;
  const code = String(headers['error-code']);
  const meant = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1].error;
  if (meant !== error) return `${status} with the code ${code}`;
  const codes = responses[status]?.headers?.['error-code']?.schema.enum ?? [];
  const isDeclared = codes.includes(code) || !isOfOperation(sent);
  return isDeclared ? undefined : `answered ${code}, which it does not declare: ${message}`;
}

/** With another method or path it may lead to no page, or to another operation. */
function isOfOperation({ operation, method, path }: FuzzRequest, parameter = '[\\w-]+'): boolean {
  const pattern = new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, parameter)}$`);
  return pattern.test(`${method} ${path.split('?', 1)[0]}`);
}

function successViolation(
  { responses = {} }: Operation,
  sent: FuzzRequest,
  { status, text }: FuzzResponse,
): string | undefined {
  if (!isOfOperation(sent, '[^/]+')) return undefined;
  const declared = responses[String(status)];
  if (declared === undefined) return `answered ${status}, which it does not declare`;
  const schema = declared.content?.['application/json']?.schema;
  const isEmpty = status === 204 || REDIRECTS.has(status);
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
