import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sendAuthorized } from './api.ts';
import type { Output } from './output.ts';
import type { CommandSession } from './session.ts';

const PROGRESS_BYTES = 10 * 1024 ** 2;

export interface ExportNotesOptions {
  session: CommandSession;
  output: Output;
  workspaceId: string;
  /** The archive; `<workspace>.zip` in the current folder by default. */
  path: string | undefined;
  signal: AbortSignal;
}

/** Downloads a workspace as a zip archive, which has its name only once it is complete. */
export async function exportNotes(options: ExportNotesOptions): Promise<void> {
  const { session, output, workspaceId, path = `${workspaceId}.zip`, signal } = options;
  const { notesUrl } = await session.credentials();
  const { body } = await sendAuthorized(
    session,
    {
      method: 'GET',
      url: `${notesUrl}/api/workspaces/${encodeURIComponent(workspaceId)}/export`,
      isIdempotent: true,
      isStream: true,
    },
    { signal },
  );
  let bytes = 0;
  async function* counted(archive: AsyncIterable<Uint8Array>) {
    for await (const chunk of archive) {
      const before = bytes;
      bytes += chunk.length;
      if (Math.floor(bytes / PROGRESS_BYTES) > Math.floor(before / PROGRESS_BYTES)) {
        output.line(`${Math.floor(bytes / 1024 ** 2)} MB …`, { event: 'exporting', bytes });
      }
      yield chunk;
    }
  }
  const unfinished = `${path}.unfinished`;
  try {
    const archive = body as ReadableStream<Uint8Array>;
    await pipeline(archive, counted, createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  output.line(`Exported ${workspaceId} to ${path}.`, { event: 'exported', path, bytes });
}
