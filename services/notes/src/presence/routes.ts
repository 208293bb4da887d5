import type { Readable } from 'node:stream';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { NOTE_STREAM_EXAMPLE, NoteStream } from '@atrium/contracts/notes/presence';
import { sendEventStream, streamReaderOf } from '@atrium/service-kit/event-streams';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { NoteStreams } from './note-streams.ts';

export async function presenceRoutes(
  server: Server,
  { streams, access }: { streams: NoteStreams; access: AccessChecks },
): Promise<void> {
  // Before the server waits for its requests to end.
  server.addHook('preClose', () => streams[Symbol.asyncDispose]());

  server.get(
    '/api/notes/:id/presence',
    {
      config: { rateLimit: RATE_LIMITS.streams },
      // A HEAD request would open a stream that no disconnect closes.
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamNote',
        summary: 'Follow who has a note open and what is saved, as server-sent events',
        description:
          'While the stream is open, the account is shown to the other members as one who has the note ' +
          'open. It ends when the access token expires, when its session is revoked, and when the account ' +
          'may not read the note any more: open it again with a new token, and stop at 404.',
        tags: ['Notes'],
        params: IdParams,
        response: {
          200: {
            content: {
              'text/event-stream': {
                schema: Type.Unsafe<Readable>(NoteStream),
                example: NOTE_STREAM_EXAMPLE,
              },
            },
          },
          ...errorResponses(401, 404),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const reader = streamReaderOf(request);
      await access.toNote(id, reader.account.id, 'read');
      return sendEventStream(reply, streams.open(reader, id));
    },
  );
}
