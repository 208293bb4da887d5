import { followStream } from './http/follow-stream.ts';
import type { CallOptions } from './http/send.ts';
import type { WorkspacesApi } from './workspaces.ts';

/**
 * - `present`: who has the note open
 * - `saved`: the note has this entity tag now; `userId` wrote its text last, null when erased
 * - `changed`: others have changed something else of the workspace, such as its tree of notes
 * - `disconnected`: the service cannot be reached at the moment; what is missed follows
 */
export type NoteEvent =
  | { kind: 'present'; userIds: string[] }
  | { kind: 'saved'; etag: string; userId: string | null }
  | { kind: 'changed' }
  | { kind: 'disconnected' };

/**
 * Follows who has a note open and what is saved, over lost connections and new access tokens, until the signal
 * is aborted. Meanwhile this account is shown to the others.
 *
 * @throws AtriumError when the service refuses: 404 when the note may not be read any more
 * @example
 * for await (const event of followNote(workspaces, 'note_…', { signal })) {
 *   if (event.kind === 'present') console.log(event.userIds);
 * }
 */
export async function* followNote(
  workspaces: Pick<WorkspacesApi, 'streamNote'>,
  noteId: string,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<NoteEvent> {
  const open = (options: CallOptions) => workspaces.streamNote(noteId, options);
  for await (const block of followStream(open, signal)) {
    if (block === 'disconnected') yield { kind: block };
    else if (block.event === 'changed') yield { kind: block.event };
    else if (block.event === 'present' || block.event === 'saved') {
      yield { kind: block.event, ...JSON.parse(block.data ?? '') };
    }
  }
}
