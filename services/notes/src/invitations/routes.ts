import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Invitation, InvitationParams, InviteBody } from '@atrium/contracts/notes/invitations';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { accountOf, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { Access, AccessChecks } from '../access/checks.ts';
import type { Database, Idempotency } from '../database.ts';
import { INVITATIONS_TO_EMAIL, RATE_LIMITS } from '../rate-limits.ts';
import {
  createInvitation,
  findInvitedEmail,
  type InvitationRecord,
  type Inviter,
  type InviteOutcome,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from './store.ts';

export interface InvitationRoutesDeps {
  database: Database;
  access: AccessChecks;
  idempotency: Idempotency;
  rateLimiter: RateLimiter;
  messageKeys: KeyRing;
}

function represent(invitation: InvitationRecord): Invitation {
  return {
    id: invitation.id,
    workspaceId: invitation.workspaceId,
    email: invitation.email,
    role: invitation.role,
    createdAt: invitation.createdAt.toISOString(),
    expiresAt: invitation.expiresAt.toISOString(),
  };
}

/** @throws HttpError when nothing was sent */
function sentOf(outcome: InviteOutcome, { limits, planName }: Access): Invitation {
  switch (outcome.kind) {
    case 'sent':
      return represent(outcome.invitation);
    case 'missing':
      throw notFound('Invitation');
    case 'full':
      throw new HttpError(
        'plan-limit-collaborators',
        `${planName} allows ${limits.collaborators} collaborators`,
      );
    case 'duplicate':
      throw new HttpError('invitation-exists');
  }
}

/** For the owner of a workspace. */
export async function invitationRoutes(server: Server, deps: InvitationRoutesDeps): Promise<void> {
  const { database, access, idempotency, rateLimiter, messageKeys } = deps;
  const tags = ['Invitations'];

  type Request = Parameters<typeof accountOf>[0];
  function manage(request: Request, id: string): Promise<Access> {
    return access.toWorkspace(id, accountOf(request).id, 'manageMembers');
  }
  function inviterOf(request: Request, { workspaceId, limits }: Access): Inviter {
    const { collaborators: limit } = limits;
    return { workspaceId, limit, accountId: accountOf(request).id, messageKeys };
  }

  /** Counts an email to the address, unless what sends it is refused. */
  async function countEmail<Result>(email: string, send: () => Promise<Result>): Promise<Result> {
    await rateLimiter.consume(INVITATIONS_TO_EMAIL, email);
    try {
      return await send();
    } catch (error) {
      // After an error of the service it is not known whether the email was sent.
      const isRefused = error instanceof HttpError && error.status < 500;
      if (isRefused) await rateLimiter.refund(INVITATIONS_TO_EMAIL, email);
      throw error;
    }
  }

  server.post(
    '/api/workspaces/:id/invitations',
    {
      config: { isIdempotent: true, rateLimit: RATE_LIMITS.invitations },
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'createInvitation',
        summary: 'Invite someone to a workspace by email',
        description:
          'The link in the email works once, for 7 days, for an account with that email address.',
        tags,
        params: IdParams,
        body: InviteBody,
        response: {
          201: Invitation,
          ...errorResponses(
            401,
            403,
            404,
            422,
            'email-not-verified',
            'plan-limit-collaborators',
            'invitation-exists',
          ),
        },
      },
    },
    async (request, reply) => {
      const given = await manage(request, request.params.id);
      const to = { email: request.body.email.toLowerCase(), role: request.body.role };
      return countEmail(to.email, () =>
        idempotency.create(request, reply, async (tx) => {
          const outcome = await createInvitation(tx, inviterOf(request, given), to);
          return { status: 201, body: sentOf(outcome, given) };
        }),
      );
    },
  );

  server.get(
    '/api/workspaces/:id/invitations',
    {
      schema: {
        operationId: 'listInvitations',
        summary: 'List the invitations of a workspace that are not accepted, newest first',
        tags,
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Invitation), ...errorResponses(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const beforeId = decodeIdCursor(cursor);
      const { workspaceId } = await manage(request, request.params.id);
      const rows = await listInvitations(database, workspaceId, { beforeId, limit: limit + 1 });
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.post(
    '/api/workspaces/:id/invitations/:invitationId/resend',
    {
      config: { rateLimit: RATE_LIMITS.invitations },
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'resendInvitation',
        summary: 'Send an invitation again',
        description:
          'With a new link, which works for another 7 days; the one before stops working.',
        tags,
        params: InvitationParams,
        response: {
          200: Invitation,
          ...errorResponses(401, 403, 404, 'email-not-verified', 'plan-limit-collaborators'),
        },
      },
    },
    async (request) => {
      const { id, invitationId } = request.params;
      const given = await manage(request, id);
      const email = await findInvitedEmail(database, id, invitationId);
      if (email === undefined) throw notFound('Invitation');
      return countEmail(email, async () => {
        const outcome = await database.transaction({ requestId: request.id }, (tx) =>
          resendInvitation(tx, inviterOf(request, given), invitationId),
        );
        return sentOf(outcome, given);
      });
    },
  );

  server.delete(
    '/api/workspaces/:id/invitations/:invitationId',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'revokeInvitation',
        summary: 'Revoke an invitation',
        tags,
        params: InvitationParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id, invitationId } = request.params;
      await manage(request, id);
      const accountId = accountOf(request).id;
      const isRevoked = await revokeInvitation(database, {
        workspaceId: id,
        invitationId,
        accountId,
      });
      if (!isRevoked) throw notFound('Invitation');
      return reply.code(204).send(null);
    },
  );
}
