import { FileContent } from '@atrium/contracts/file-content';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Import } from '@atrium/contracts/notes/imports';
import { requireLength } from '@atrium/service-kit/streamed-bodies';
import { RATE_LIMITS } from '../rate-limits.ts';

/** The operation that the API declares and the worker carries out, new for each: Fastify changes what it is given. */
export const importNotes = () => ({
  method: 'POST' as const,
  url: '/api/workspaces/:id/imports',
  config: { isIdempotent: 'stream' as const, rateLimit: RATE_LIMITS.imports },
  preValidation: requireLength,
  schema: {
    operationId: 'importNotes',
    summary: 'Import a zip archive of Markdown files into a workspace',
    description:
      'The body is an export of a workspace, or a folder of Markdown files as Obsidian and Notion ' +
      'write it. It is imported after the response; the import tells how far it is. An archive that ' +
      'is not safe or whose notes do not fit is refused as a whole. Notes that an earlier import ' +
      'has created stay as they are.',
    tags: ['Workspaces'],
    params: IdParams,
    body: { content: { '*/*': { schema: FileContent } } },
    response: {
      202: Import,
      ...errorResponses(
        401,
        403,
        404,
        413,
        'plan-limit-size',
        'plan-limit-storage',
        'import-running',
      ),
    },
  },
});
