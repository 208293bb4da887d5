import { SharedNote } from '@atrium/contracts/sharing';
import { notFound, unavailable } from '@atrium/service-kit/http-error';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';

export type SharedNoteContent = Static<typeof SharedNote>;

/** For both attempts together. */
const DEADLINE_MS = 5000;
/** The largest note has 500 KB, and JSON writes some characters as six. */
const SIZE_MAX_BYTES = 4_000_000;

export interface SharedNotes {
  /**
   * @param reader whose request it is: the notes service logs and limits it as theirs
   * @throws HttpError 404, or 503 while the notes service does not answer
   */
  read(token: string, reader: { id: string; ip: string }): Promise<SharedNoteContent>;
}

/** Reads public notes from the notes service at this address. */
export function sharedNotesAt(notesUrl: string): SharedNotes {
  return {
    async read(token, { id, ip }) {
      const init = {
        headers: { accept: 'application/json', 'x-request-id': id, 'x-forwarded-for': ip },
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      } as const;
      const url = `${notesUrl}/shared/${token}`;
      const note = await readNote(url, init)
        // A kept connection may be closed by a stopping replica just when it is used.
        .catch((error) => {
          if (error instanceof TypeError) return readNote(url, init);
          throw error;
        })
        .catch((error) => {
          throw unavailable('The note cannot be read at the moment', 2, error);
        });
      if (note === null) throw notFound('Shared note');
      return note;
    },
  };
}

async function readNote(url: string, init: RequestInit): Promise<SharedNoteContent | null> {
  const response = await fetch(url, init);
  if (!response.ok) {
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw new Error(`Notes answered ${response.status}`);
  }
  const note: unknown = JSON.parse(await readText(response));
  if (!Value.Check(SharedNote, note)) throw new Error('Notes did not answer with a shared note');
  return note;
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > SIZE_MAX_BYTES) throw new Error('The answer of notes is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
