import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { Sql } from '@atrium/service-kit/database';
import {
  endStream,
  type EventStream,
  EventStreams,
  type StreamReader,
} from '@atrium/service-kit/event-streams';
import type { Logger } from '@atrium/service-kit/logger';
import { entityTag } from '../notes/entity-tag.ts';
import type { PresenceRegistry } from './registry.ts';
import { findOpenNotes } from './store.ts';

const POLL_MS = 500;
const RENEW_MS = 10_000;

type Stream = EventStream<{
  noteId: string;
  streamId: string;
  /** When its entry in the registry has to be renewed. */
  renewAtMs: number;
  /** What was sent last. */
  present: string;
  saved: string;
  /** What others had done when it was last asked; null at the beginning. */
  recent: readonly number[] | null;
}>;

export interface NoteStreamsDeps {
  database: Sql;
  registry: PresenceRegistry;
  authenticator: Pick<Authenticator, 'isCurrent'>;
  logger: Logger;
}

/**
 * Tells everyone who has a note open who else has, what has been saved, and that others have changed something of
 * its workspace. All is read from Postgres, so that nothing is missed whichever process saved, and together with the
 * membership, so that a stream ends as soon as its account may not read the note.
 */
export class NoteStreams implements AsyncDisposable {
  readonly #deps: NoteStreamsDeps;
  readonly #streams: EventStreams<Omit<Stream, keyof StreamReader | 'body'>>;

  constructor(deps: NoteStreamsDeps) {
    this.#deps = deps;
    const { authenticator, logger } = deps;
    const poll = (streams: ReadonlySet<Stream>) => this.#poll([...streams]);
    this.#streams = new EventStreams({ authenticator, logger, pollMs: POLL_MS, poll });
  }

  /** @throws HttpError 429 when the reader has too many streams, 503 when this process has */
  open(reader: StreamReader, noteId: string): Readable {
    const { registry, logger } = this.#deps;
    const { id: accountId } = reader.account;
    const state = {
      noteId,
      streamId: randomUUID(),
      renewAtMs: 0,
      present: '',
      saved: '',
      recent: null,
    };
    const { body } = this.#streams.open(reader, state);
    body.on('close', () => {
      registry.remove({ ...state, accountId }).catch((error: unknown) => {
        logger.warn({ err: error, noteId }, 'presence not ended, it expires');
      });
    });
    return body;
  }

  async #poll(streams: readonly Stream[]): Promise<void> {
    await this.#sendSaved(streams);
    await this.#sendPresent(streams.filter(({ body }) => !body.destroyed));
  }

  async #sendSaved(streams: readonly Stream[]): Promise<void> {
    const notes = await findOpenNotes(
      this.#deps.database,
      streams.map(({ noteId, account }) => ({ noteId, accountId: account.id })),
    );
    const found = new Map(notes.map((note) => [`${note.noteId} ${note.accountId}`, note]));
    for (const stream of streams) {
      const note = found.get(`${stream.noteId} ${stream.account.id}`);
      if (note === undefined) {
        endStream(stream.body);
        continue;
      }
      const saved = JSON.stringify({ etag: entityTag(note.version), userId: note.userId });
      if (saved !== stream.saved) stream.body.push(`event: saved\ndata: ${saved}\n\n`);
      stream.saved = saved;
      const { recent } = stream;
      const isChanged = recent !== null && note.recent.some((hash) => !recent.includes(hash));
      if (isChanged) stream.body.push('event: changed\ndata: {}\n\n');
      stream.recent = note.recent;
    }
  }

  async #sendPresent(streams: readonly Stream[]): Promise<void> {
    const { registry } = this.#deps;
    const nowMs = performance.now();
    const due = streams.filter(({ renewAtMs }) => renewAtMs <= nowMs);
    await registry.renew(due.map((stream) => ({ ...stream, accountId: stream.account.id })));
    for (const stream of due) stream.renewAtMs = nowMs + RENEW_MS;
    const accounts = await registry.read([...new Set(streams.map(({ noteId }) => noteId))]);
    for (const stream of streams) {
      const present = JSON.stringify({ userIds: accounts.get(stream.noteId) ?? [] });
      if (present !== stream.present) stream.body.push(`event: present\ndata: ${present}\n\n`);
      stream.present = present;
    }
  }

  /** Ends every stream; their readers open them again at another process. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#streams[Symbol.asyncDispose]();
  }
}
