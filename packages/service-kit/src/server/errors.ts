import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, badRequest, notFound, unavailable } from '../http-error.ts';
import { isDatabaseUnavailable, isRedisUnavailable } from '../outage.ts';
import { RAW_HEADERS } from './raw-response.ts';

const RETRY_AFTER_SECONDS = 5;

/** Our errors for Fastify's codes. https://fastify.dev/docs/latest/Reference/Errors/ */
function frameworkError(code: string, bodyLimit: number): HttpError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpError('body-too-large', `Request body has more than ${bodyLimit} bytes`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpError('media-type-unsupported');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return badRequest('Request body is not valid JSON');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badRequest('Request body is required');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badRequest('Request body is not as long as Content-Length says');
    case 'FST_ERR_BAD_URL':
      return badRequest('URL is not valid');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return badRequest('A part of the URL is too long');
    case 'FST_ERR_NOT_FOUND':
    // A path that @fastify/static does not look up: outside its folder, or over-long.
    case 'FST_STATIC_FORBIDDEN_PATH':
      return notFound('Page');
    default:
      return undefined;
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * The one place that turns a thrown error into a response. Only messages written for users are sent;
 * an unknown error is a 500 that does not mention its cause.
 */
export function toHttpError(error: unknown, bodyLimit: number): HttpError {
  if (error instanceof HttpError) {
    return error;
  }
  const known = isFastifyError(error) ? frameworkError(error.code, bodyLimit) : undefined;
  if (known !== undefined) {
    return known;
  }
  if (isDatabaseUnavailable(error) || isRedisUnavailable(error)) {
    return unavailable(undefined, RETRY_AFTER_SECONDS, error);
  }
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) {
    // secure-json-parse: a `__proto__` key. Its message would quote the body.
    return badRequest('Request body is not valid JSON');
  }
  return new HttpError('internal-error', undefined, { cause: error });
}

function logError(request: FastifyRequest, answered: HttpError, thrown: unknown): void {
  if (answered.status === 503) {
    // Frequent while a dependency is down: a warning each, not an error.
    request.log.warn({ err: answered.cause ?? answered }, 'request refused');
  } else if (answered.status >= 500) {
    request.log.error({ err: thrown }, 'request failed');
  }
}

/** Sends an error with its headers, without the route's response schemas. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const answered = toHttpError(error, request.routeOptions.bodyLimit);
  logError(request, answered, error);
  void reply
    .code(answered.status)
    .headers({ 'cache-control': 'no-store', ...answered.headers })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(answered.body);
}

/** For errors before a route is known: no hook runs for these, so the headers are set here. */
export function sendFrameworkError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.headers({ ...RAW_HEADERS, 'x-request-id': request.id });
  sendError(request, reply, error);
}
