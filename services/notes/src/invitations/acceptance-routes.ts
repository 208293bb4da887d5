import { errorResponses } from '@atrium/contracts/errors';
import { InvitationTokenParams, ReceivedInvitation } from '@atrium/contracts/notes/invitations';
import { Workspace } from '@atrium/contracts/notes/notes';
import { accountOf, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { WorkspaceStore } from '../workspaces/store.ts';
import { representWorkspace } from '../workspaces/representation.ts';
import { acceptInvitation, findInvitation } from './acceptance.ts';
import type { ReadEmailAddress } from './email-address.ts';

const tags = ['Invitations'];

/** For whoever follows the link in the email, with an account or without. */
export async function receivedInvitationRoute(
  server: Server,
  { database }: { database: Database },
): Promise<void> {
  server.get(
    '/api/invitations/:token',
    {
      config: { rateLimit: RATE_LIMITS.invitationReadings },
      schema: {
        operationId: 'getInvitation',
        summary: 'Read an invitation by the token of its link',
        tags,
        security: [],
        params: InvitationTokenParams,
        response: { 200: ReceivedInvitation, ...errorResponses(404) },
      },
    },
    async (request) => {
      const invitation = await findInvitation(database, request.params.token);
      if (invitation === undefined) throw notFound('Invitation');
      const { workspaceName, ownerId, role, expiresAt } = invitation;
      return { workspaceName, ownerId, role, expiresAt: expiresAt.toISOString() };
    },
  );
}

/** For the account that accepts. */
export async function acceptanceRoutes(
  server: Server,
  options: { database: Database; workspaces: WorkspaceStore; readEmailAddress: ReadEmailAddress },
): Promise<void> {
  const { database, workspaces, readEmailAddress } = options;

  server.post(
    '/api/invitations/:token/accept',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation to a workspace',
        description: 'For the account that has the email address of the invitation, verified.',
        tags,
        params: InvitationTokenParams,
        response: {
          200: Workspace,
          ...errorResponses(
            401,
            404,
            'email-not-verified',
            'invitation-of-another',
            'plan-limit-collaborators',
          ),
        },
      },
    },
    async (request) => {
      const { token } = request.params;
      const account = accountOf(request);
      const invitation = await findInvitation(database, token);
      if (invitation === undefined) throw notFound('Invitation');
      const email = await readEmailAddress(request.headers.authorization ?? '');
      if (email !== invitation.email) {
        throw new HttpError('invitation-of-another');
      }
      const outcome = await database.transaction({ requestId: request.id }, (tx) =>
        acceptInvitation(tx, token, account),
      );
      if (outcome.kind === 'full') {
        throw new HttpError('plan-limit-collaborators');
      }
      const workspace =
        outcome.kind === 'accepted' && (await workspaces.find(outcome.workspaceId, account.id));
      if (!workspace) throw notFound('Invitation');
      return representWorkspace(workspace);
    },
  );
}
