import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { NameVersionBody, VersionSummary } from '@atrium/contracts/notes/versions';
import { accountOf } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { summarizeVersion } from '../versions/representation.ts';
import type { VersionStore } from '../versions/store.ts';
import { acceptedVersions, readIfMatch } from './entity-tag.ts';
import { IfMatch, rejectionOf } from './precondition.ts';

/** Gives a note as it was read a name, which its current version keeps. */
export async function namingRoute(
  server: Server,
  { versions, access }: { versions: Pick<VersionStore, 'name'>; access: AccessChecks },
): Promise<void> {
  server.post(
    '/api/notes/:id/versions',
    {
      config: { rateLimit: RATE_LIMITS.versions },
      schema: {
        operationId: 'nameVersion',
        summary: 'Name the current version of a note',
        description: 'The next change of the text begins another version.',
        tags: ['Versions'],
        params: IdParams,
        headers: IfMatch,
        body: NameVersionBody,
        response: { 200: VersionSummary, ...errorResponses(401, 403, 404, 412, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'writeNotes');
      const accepted = acceptedVersions(readIfMatch(request.headers['if-match']));
      const target = { noteId: id, accountId, accepted, origin: { requestId: request.id } };
      const outcome = await versions.name(target, request.body.name);
      if (outcome.kind !== 'named') throw rejectionOf(outcome);
      return summarizeVersion(outcome.version);
    },
  );
}
