import { validationError } from '@atrium/service-kit/http-error';
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
 * Hands the requests of OpenID Connect to the provider, which writes the response itself. What is true of all our
 * routes has happened by then: limits, reading the body, the log, the metrics and the headers.
 */
export async function providerRoutes(
  server: Server,
  { provider }: { provider: OauthProvider },
): Promise<void> {
  takeForms(server);
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    rememberOrigin(request.raw, originOf(request));
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await provider.handle(withBody(request), reply.raw);
  };
  const config = { cors: false } as const;
  const schema = { hide: true };
  const limited = { ...config, rateLimit: RATE_LIMITS.authorizeByIp };
  for (const url of BEGINNING) server.get(url, { config: limited, schema }, handler);
  await server.register(async (forms) => {
    takeForms(forms);
    for (const url of BEGINNING) {
      // As a query: a POST from another site brings no cookies along (OpenID Connect Core 1.0, section 3.1.2.1).
      forms.post(url, { config, schema }, ({ body }, reply) =>
        reply.redirect(
          body instanceof Buffer ? `${url}?${new URLSearchParams(body.toString())}` : url,
          303,
        ),
      );
    }
  });
  const pushed = { ...config, rateLimit: RATE_LIMITS.pushByIp };
  server.post(PATHS.pushed_authorization_request, { config: pushed, schema }, handler);
  const device = { ...config, rateLimit: RATE_LIMITS.deviceLoginByIp };
  server.post(PATHS.device_authorization, { config: device, schema }, handler);
  for (const url of GET) server.get(url, { config, schema }, handler);
  for (const url of POST) server.post(url, { config, schema }, handler);
  for (const url of OPTIONS) server.options(url, { config, schema }, handler);
}

function takeForms(
  server: Pick<Server, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: FORM_MAX_BYTES },
    (_request, body, done) =>
      // As in a query: Postgres stores no NUL.
      body.includes('%00') || body.includes('\0')
        ? done(validationError('Form contains characters that cannot be stored'))
        : done(null, body),
  );
}

/**
 * The request with the body that our server has read, where the library looks for it. It keeps each chunk of up to 56 KB
 * itself, and prints a warning about a body that it finds elsewhere.
 */
function withBody({ raw, body }: FastifyRequest) {
  return Object.defineProperties(raw, {
    readable: { value: true },
    iterator: { value: () => (body instanceof Buffer ? [body] : []) },
  });
}
