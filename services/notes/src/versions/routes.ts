import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import {
  Comparison,
  ComparisonQuery,
  Version,
  VersionParams,
  VersionSummary,
} from '@atrium/contracts/notes/versions';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeTimeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { compareVersions, representVersion, summarizeVersion } from './representation.ts';
import type { VersionStore } from './store.ts';

const { free, pro } = PLAN_LIMITS;

export async function versionRoutes(
  server: Server,
  { versions, access }: { versions: VersionStore; access: AccessChecks },
): Promise<void> {
  const tags = ['Versions'];

  server.get(
    '/api/notes/:id/versions',
    {
      schema: {
        operationId: 'listVersions',
        summary: 'List the versions of a note, newest first',
        description:
          'A version is what one person saved last within five minutes; the first one is the current text. The ' +
          'plan of the owner of the workspace says how long older ones are kept, and how many of each author: ' +
          `for ${free.versionDays} days and ${free.versionsPerNote}, or for ${pro.versionDays} days and ` +
          `${pro.versionsPerNote.toLocaleString('en')}. Beyond these, the oldest ones of that author go, ` +
          'those with a name last.',
        tags,
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(VersionSummary), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = decodeTimeCursor(cursor);
      const { id } = request.params;
      await access.toNote(id, accountOf(request).id, 'read');
      const rows = await versions.list(id, limit + 1, after);
      const page = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id]);
      return { data: page.data.map(summarizeVersion), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/notes/:id/versions/:versionId',
    {
      schema: {
        operationId: 'getVersion',
        summary: 'Get a version of a note',
        tags,
        params: VersionParams,
        response: { 200: Version, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const { id, versionId } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'read');
      const version = await versions.find(id, versionId, accountId);
      if (version === null) throw notFound('Version');
      return representVersion(version);
    },
  );

  server.get(
    '/api/notes/:id/versions/:versionId/comparison',
    {
      config: { rateLimit: RATE_LIMITS.comparisons },
      schema: {
        operationId: 'compareVersions',
        summary: 'Compare two versions of a note',
        description:
          'By lines, and by the words within changed lines. Texts that differ in very many lines are ' +
          'compared roughly: runs of lines are one block.',
        tags,
        params: VersionParams,
        querystring: ComparisonQuery,
        response: { 200: Comparison, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id, versionId } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'read');
      const ids = [versionId, request.query.to] as const;
      const [from, to] = await versions.findTwo(id, ids, accountId);
      if (from === undefined || to === undefined) throw notFound('Version');
      return compareVersions(from, to);
    },
  );
}
