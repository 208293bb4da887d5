import type { Account, Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound, validationError } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import { PORTAL_TOKEN_PREFIX, type PortalSession, type PortalStore } from './store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What `:id` is on a route that a portal may use, or that it has none; all other routes refuse it. */
    portal?: 'webhook' | 'delivery' | 'list';
  }
  interface FastifyRequest {
    /** The product whose portal sends the request; null for all other requests. */
    portal: string | null;
  }
}

type Sessions = Pick<PortalStore, 'findSession' | 'covers'>;

const TOKEN = new RegExp(`^bearer +(${PORTAL_TOKEN_PREFIX}[\\w-]{43}) *$`, 'i');

/**
 * Adds the tokens of portals to those that the authenticator takes. A route says that it takes them
 * (`config.portal`), and then finds only webhooks that have never asked for events of others: what waits for one that
 * has would go where the portal says.
 */
export function acceptPortals(
  server: Server,
  authenticator: Authenticator,
  sessions: Sessions,
): Authenticator {
  server.decorateRequest('portal', null);
  server.addHook('preHandler', assertOwnEvents);
  return {
    scopeOf: authenticator.scopeOf,
    isCurrent: authenticator.isCurrent,
    authenticate(request, reply, done) {
      const token = TOKEN.exec(request.headers.authorization ?? '')?.[1];
      if (token === undefined) {
        authenticator.authenticate.call(this, request, reply, done);
        return;
      }
      admit(sessions, request, token).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  };
}

async function admit(sessions: Sessions, request: FastifyRequest, token: string): Promise<void> {
  const session = await sessions.findSession(token);
  if (session === undefined) {
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
    throw new HttpError('token-invalid', undefined, { headers });
  }
  const { portal: subject } = request.routeOptions.config;
  if (subject === undefined) throw new HttpError('insufficient-scope');
  request.account = accountOfSession(session);
  request.portal = session.namespace;
  if (subject === 'list') return;
  const { id = '' } = request.params as { id?: string };
  if (!(await sessions.covers(session, subject, id))) {
    throw notFound(subject === 'webhook' ? 'Webhook' : 'Delivery');
  }
}

const accountOfSession = ({ accountId, plan, sessionId, expiresAt }: PortalSession): Account => ({
  id: accountId,
  sessionId,
  plan,
  // The product answers for its customer.
  emailVerified: true,
  isOperator: false,
  scopes: [],
  applicationId: null,
  expiresAtMs: expiresAt.getTime(),
});

/** Refuses names of events of others, wherever a request of a portal names some. */
const assertOwnEvents: preHandlerHookHandler = (request, _reply, done) => {
  const { portal, body, query } = request;
  if (portal === null) {
    done();
    return;
  }
  const { events = [], event } = { ...(body as NamedEvents | undefined) };
  const { event: filter } = query as NamedEvents;
  const foreign = [...events, event, filter].find(
    (name) => name !== undefined && !name.startsWith(`${portal}.`),
  );
  done(
    foreign === undefined ? undefined : validationError(`${foreign} is no event type of ${portal}`),
  );
};

interface NamedEvents {
  events?: string[];
  event?: string;
}
