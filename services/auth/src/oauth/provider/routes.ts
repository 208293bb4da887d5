import { HttpError } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../../audit/origin.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { PATHS } from './constants.ts';
import type { OauthProvider } from './provider.ts';
import { rememberOrigin } from './request-origin.ts';

const { authorization, end_session: logout } = PATHS;
/** Each of these stores rows for whoever asks. */
const BEGINNING = [authorization, logout];
const GET = [
  `${authorization}/:uid`,
  `${logout}/success`,
  PATHS.userinfo,
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
];
const POST = [
  `${logout}/confirm`,
  PATHS.token,
  PATHS.userinfo,
  PATHS.introspection,
  PATHS.revocation,
];
/** What a URL may have, too: most servers take no longer ones. */
const FORM_MAX_BYTES = 8192;
/** Pages of other origins may call these; the provider knows which. */
const OPTIONS = [PATHS.token, PATHS.userinfo, PATHS.revocation, PATHS.pushed_authorization_request];

/**
 * Hands the requests of OpenID Connect to the provider, which reads the body and writes the response itself. What is
 * true of all our routes has happened by then: limits, the log, the metrics and the headers.
 */
export async function providerRoutes(
  server: Server,
  { provider }: { provider: OauthProvider },
): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    rememberOrigin(request.raw, originOf(request));
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await provider.handle(request.raw, reply.raw);
  };
  const config = { cors: false } as const;
  const schema = { hide: true };
  const limited = { ...config, rateLimit: RATE_LIMITS.authorizeByIp };
  for (const url of BEGINNING) server.get(url, { config: limited, schema }, handler);
  await server.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    for (const url of BEGINNING) {
      // As a query: a POST from another site brings no cookies along (OpenID Connect Core 1.0, section 3.1.2.1).
      forms.post(url, { config, schema }, ({ body }, reply) =>
        reply.redirect(body instanceof URLSearchParams ? `${url}?${body}` : url, 303),
      );
    }
  });
  const pushed = { ...config, rateLimit: RATE_LIMITS.pushByIp };
  server.post(
    PATHS.pushed_authorization_request,
    { config: pushed, schema, preHandler: limitForm },
    handler,
  );
  const device = { ...config, rateLimit: RATE_LIMITS.deviceLoginByIp };
  server.post(PATHS.device_authorization, { config: device, schema }, handler);
  for (const url of GET) server.get(url, { config, schema }, handler);
  for (const url of POST) server.post(url, { config, schema }, handler);
  for (const url of OPTIONS) server.options(url, { config, schema }, handler);
}

/**
 * The library reads up to 56 KB, and stores what is pushed.
 *
 * @throws HttpError 413 for a longer form, and for one that does not say how long it is
 */
async function limitForm({ headers }: FastifyRequest): Promise<void> {
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (isChunked || Number(headers['content-length'] ?? 0) > FORM_MAX_BYTES) {
    throw new HttpError('body-too-large');
  }
}
