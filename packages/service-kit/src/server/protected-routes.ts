import type { preHandlerHookHandler } from 'fastify';
import { refuse } from '../authentication/access-token.ts';
import { type Authenticator, requireOperatorRole } from '../authentication/authentication.ts';
import type { Server } from './server.ts';

type Checks = Pick<Authenticator, 'authenticate' | 'scopeOf' | 'isCurrent'>;

/** Every route that is added from now on needs an access token, and is documented so. */
export function requireAccessToken(
  server: Server,
  { authenticate, scopeOf, isCurrent }: Checks,
): void {
  server.addHook('onRequest', authenticate);
  server.addHook('preHandler', refuseRevoked(isCurrent));
  server.addHook('onRoute', ({ schema, method, config }) => {
    const scope = scopeOf(String(method), config);
    if (schema !== undefined) schema.security ??= [{ bearer: scope === 'session' ? [] : [scope] }];
  });
}

/** Every route that is added from now on takes an access token, and answers without one too. */
export function acceptAccessToken(
  server: Server,
  { authenticate, scopeOf, isCurrent }: Checks,
): void {
  server.addHook('onRequest', function check(request, reply, done) {
    if (request.headers.authorization === undefined) done();
    else authenticate.call(this, request, reply, done);
  });
  server.addHook('preHandler', refuseRevoked(isCurrent));
  server.addHook('onRoute', ({ schema, method, config }) => {
    const scope = scopeOf(String(method), config);
    if (schema !== undefined) {
      schema.security ??= [{}, { bearer: scope === 'session' ? [] : [scope] }];
    }
  });
}

/** A body may come so slowly that the session of its token is revoked meanwhile. */
function refuseRevoked(isCurrent: Authenticator['isCurrent']): preHandlerHookHandler {
  return ({ account }, _reply, done) => {
    // A token that was valid when the request began may expire while it is carried out.
    const isRevoked = account !== null && !isCurrent({ ...account, expiresAtMs: Infinity });
    done(isRevoked ? refuse('token-invalid') : undefined);
  };
}

/** Every route that is added from now on exists for operators only, and is documented under their tag. */
export function requireOperator(server: Server, authenticator: Authenticator): void {
  requireAccessToken(server, authenticator);
  server.addHook('onRequest', requireOperatorRole);
  server.addHook('onRoute', ({ schema }) => {
    if (schema !== undefined) schema.tags ??= ['Operator'];
  });
  // What operators see of others is not kept by browsers.
  server.addHook('onSend', (_request, reply, payload, done) => {
    void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
