import { FileContent } from '@atrium/contracts/file-content';
import { Attachment, UploadQuery } from '@atrium/contracts/notes/attachments';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { RATE_LIMITS } from '../rate-limits.ts';
import { requireLength } from '@atrium/service-kit/streamed-bodies';

/** The operation that the API declares and the worker carries out, new for each: Fastify changes what it is given. */
export const uploadAttachment = () => ({
  method: 'POST' as const,
  url: '/api/workspaces/:id/attachments',
  config: { isIdempotent: 'stream' as const, rateLimit: RATE_LIMITS.uploads },
  preValidation: requireLength,
  schema: {
    operationId: 'uploadAttachment',
    summary: 'Attach a file to a workspace',
    description:
      'The body is the file, of any type. A PNG, JPEG or WebP image is encoded again without its ' +
      'metadata. An attachment is deleted a week after no note refers to it any more.',
    tags: ['Attachments'],
    params: IdParams,
    querystring: UploadQuery,
    body: { content: { '*/*': { schema: FileContent } } },
    response: {
      201: Attachment,
      ...errorResponses(
        401,
        403,
        404,
        413,
        422,
        'plan-limit-size',
        'plan-limit-storage',
        'image-unusable',
      ),
    },
  },
});
