import { FileContent } from '@atrium/contracts/file-content';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { RATE_LIMITS } from '../rate-limits.ts';

/** The operation that the API declares and the worker carries out, new for each: Fastify changes what it is given. */
export const exportWorkspace = () => ({
  method: 'GET' as const,
  url: '/api/workspaces/:id/export',
  config: { rateLimit: RATE_LIMITS.exports },
  schema: {
    operationId: 'exportWorkspace',
    summary: 'Download a workspace as a zip archive of Markdown files and attachments',
    description:
      'Each note has YAML front matter; those below it are in a folder beside it that has its name. While nothing changes, every archive is the same byte for ' +
      'byte. Notes in the trash are left out.',
    tags: ['Workspaces'],
    params: IdParams,
    response: {
      200: { content: { '*/*': { schema: FileContent, example: 'PK…' } } },
      ...errorResponses(401, 404),
    },
  },
});
