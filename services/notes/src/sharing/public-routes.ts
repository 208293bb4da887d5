import { FileContent } from '@atrium/contracts/file-content';
import { errorResponses } from '@atrium/contracts/errors';
import {
  OpenedSharedNote,
  OpenSharedNoteBody,
  ReadingConditions,
  SHARE_ACCESS_HEADER,
  SharedAttachmentParams,
  SharedNote,
  SharedNoteAccess,
  ShareTokenParams,
} from '@atrium/contracts/notes/sharing';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { contentHeaders } from '../attachments/content-headers.ts';
import { readContent } from '../attachments/read-content.ts';
import type { FileStorage } from '../files/storage.ts';
import type { Transfers } from '../files/transfers.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { SharedNotes } from './shared-notes.ts';

const ENDED_CODES = ['share-expired', 'share-used-up'] as const;

const tags = ['Sharing'];
/** The token in the URL is the only credential. */
const security: [] = [];

/** What whoever has the link of a note may read. */
export async function sharedNoteRoutes(
  server: Server,
  {
    sharedNotes,
    storage,
    transfers,
  }: { sharedNotes: SharedNotes; storage: FileStorage; transfers: Transfers },
): Promise<void> {
  // Caches and search engines must not keep a note that becomes private again.
  server.addHook('onRequest', async (_request, reply) => {
    void reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });

  server.get(
    '/shared/:token',
    {
      schema: {
        operationId: 'getSharedNote',
        summary: 'Read a public note by its link',
        description: 'Counts as a view, unless the note was opened before.',
        tags,
        security,
        params: ShareTokenParams,
        headers: SharedNoteAccess,
        response: { 200: SharedNote, ...errorResponses(404, ...ENDED_CODES, 'share-locked') },
      },
    },
    async (request) => {
      const access = request.headers[SHARE_ACCESS_HEADER];
      // Someone who asks for the headers alone has not seen the note.
      const isView = request.method === 'GET';
      const { share, note } = await sharedNotes.read(request.params.token, access, isView);
      return {
        ...note,
        allowIndexing: share.allowIndexing,
        sharedAt: share.sharedAt.toISOString(),
        updatedAt: note.updatedAt.toISOString(),
      };
    },
  );

  server.get(
    '/shared/:token/access',
    {
      schema: {
        operationId: 'getReadingConditions',
        summary: 'Get what reading a public note takes',
        description: 'Tells nothing about the note, and does not count as a view.',
        tags,
        security,
        params: ShareTokenParams,
        headers: SharedNoteAccess,
        response: { 200: ReadingConditions, ...errorResponses(404, ...ENDED_CODES) },
      },
    },
    (request) => sharedNotes.conditions(request.params.token, request.headers[SHARE_ACCESS_HEADER]),
  );

  server.post(
    '/shared/:token/access',
    {
      config: { rateLimit: RATE_LIMITS.shareOpenings, isBodyOptional: true },
      schema: {
        operationId: 'openSharedNote',
        summary: 'Open a public note, with its password if it has one',
        description:
          'Counts as a view. For an hour the note and its attachments can then be read without another ' +
          `one, by sending \`access\` in the header ${SHARE_ACCESS_HEADER}.`,
        tags,
        security,
        params: ShareTokenParams,
        body: OpenSharedNoteBody,
        response: {
          200: OpenedSharedNote,
          ...errorResponses(404, 422, ...ENDED_CODES, 'share-locked', 'password-wrong'),
        },
      },
    },
    async (request) => {
      const { token } = request.params;
      const opened = await sharedNotes.open(token, request.body.password, request.ip);
      return { access: opened.access, expiresAt: opened.expiresAt.toISOString() };
    },
  );

  server.get(
    '/shared/:token/attachments/:id',
    {
      schema: {
        operationId: 'downloadSharedAttachment',
        summary: 'Get the content of an attachment that a public note refers to',
        description:
          'If the link has a password or a maximum of views, the note must be opened first.',
        tags,
        security,
        params: SharedAttachmentParams,
        headers: SharedNoteAccess,
        response: {
          200: { content: { '*/*': { schema: FileContent, example: '…' } } },
          ...errorResponses(404, ...ENDED_CODES, 'share-locked'),
        },
      },
    },
    async (request, reply) => {
      const { token, id } = request.params;
      const file = await sharedNotes.attachment(token, request.headers[SHARE_ACCESS_HEADER], id);
      if (file === null) throw notFound('Attachment');
      const content = await readContent(storage, file.id, request.log);
      const sent = transfers.send(content, { client: request.ip, response: reply.raw });
      return reply.headers(contentHeaders(file)).send(sent);
    },
  );
}
