import { errorResponses } from '@atrium/contracts/errors';
import {
  CreatePortalSessionBody,
  OpenedPortal,
  OpenPortalBody,
  PORTAL_SESSION_MINUTES,
  Portal,
  PortalParams,
  Portals,
  PortalSession,
  PutPortalBody,
} from '@atrium/contracts/webhooks/portal';
import {
  accountOf,
  type Authenticator,
  requireVerifiedEmail,
} from '@atrium/service-kit/authentication';
import { HttpError, notFound, validationError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import { ONE_RECIPIENT } from '../publishing/recipients.ts';
import type { PortalStore } from './store.ts';

const CREATE_RULE = { name: 'portal-sessions', limit: 600, windowSeconds: 60 };
const config = { scope: 'events:publish' } as const;
const tags = ['Portals'];

export interface PortalRoutesDeps {
  portals: PortalStore;
  authenticator: Authenticator;
  /** Where browsers reach the pages. */
  webUrl: string;
}

/** The pages of the webhooks of a product, for its customers. */
export async function portalRoutes(server: Server, deps: PortalRoutesDeps): Promise<void> {
  const { portals, authenticator, webUrl } = deps;
  requireAccessToken(server, authenticator);

  server.get(
    '/api/portals',
    {
      config,
      schema: {
        tags,
        operationId: 'listPortals',
        summary: 'List the products of the account, each with its portal',
        response: { 200: Portals, ...errorResponses(401) },
      },
    },
    async (request) => ({ data: await portals.list(accountOf(request).id) }),
  );

  server.put(
    '/api/portals/:namespace',
    {
      config,
      preHandler: requireVerifiedEmail,
      schema: {
        tags,
        operationId: 'putPortal',
        summary: 'Say how the portal of a product looks, and whose pages may show it',
        params: PortalParams,
        body: PutPortalBody,
        response: { 200: Portal, ...errorResponses(401, 404, 422, 'email-not-verified') },
      },
    },
    async (request) => {
      const { namespace } = request.params;
      const isOwn = await portals.put(namespace, accountOf(request).id, request.body);
      if (!isOwn) throw notFound('Product');
      return { namespace, ...request.body };
    },
  );

  server.post(
    '/api/portal-sessions',
    {
      config: { ...config, rateLimit: CREATE_RULE },
      preHandler: requireVerifiedEmail,
      schema: {
        tags,
        operationId: 'createPortalSession',
        summary: 'Make a link that opens the webhooks of a product for one of its customers',
        description:
          `It lasts ${PORTAL_SESSION_MINUTES} minutes. Customers other than the account itself need an application ` +
          'that an operator trusts, as for publishing.',
        body: CreatePortalSessionBody,
        response: {
          201: PortalSession,
          ...errorResponses(
            401,
            404,
            422,
            'email-not-verified',
            'recipient-not-allowed',
            'recipient-unknown',
          ),
        },
      },
    },
    async (request, reply) => {
      const publisher = accountOf(request);
      const { namespace, accountId, externalId } = request.body;
      if (accountId !== undefined && externalId !== undefined) throw validationError(ONE_RECIPIENT);
      const recipient =
        externalId === undefined ? { accountId: accountId ?? publisher.id } : { externalId };
      const result = await portals.createSession({ namespace, recipient, publisher });
      if (result.kind === 'missing') throw notFound('Portal');
      if (result.kind === 'refused') throw new HttpError(result.code);
      const url = `${webUrl}/portal/${result.token}`;
      reply.header('cache-control', 'no-store');
      return reply.code(201).send({ url, expiresAt: result.expiresAt.toISOString() });
    },
  );
}

/** Without a token: whoever has a link has what it opens. */
export async function openPortalRoute(
  server: Server,
  { portals }: Pick<PortalRoutesDeps, 'portals'>,
): Promise<void> {
  server.post(
    '/api/portal-sessions/open',
    {
      schema: {
        tags,
        operationId: 'openPortal',
        summary: 'Exchange the token of a link for one that reads and changes webhooks',
        body: OpenPortalBody,
        response: { 200: OpenedPortal, ...errorResponses(404, 422) },
      },
    },
    async (request, reply) => {
      const opened = await portals.open(request.body.token);
      if (opened === undefined) throw notFound('Portal');
      reply.header('cache-control', 'no-store');
      return { ...opened, expiresAt: opened.expiresAt.toISOString() };
    },
  );
}
