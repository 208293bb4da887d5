import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { HttpError } from '@atrium/service-kit/http-error';
import { sizeOf } from '../storage-use/store.ts';

/** JSON may escape one byte of content as six (`\u000a`); 64 KiB are for the other fields. */
export const NOTE_BODY_LIMIT_BYTES = PLAN_LIMITS.pro.noteSizeBytes * 6 + 64 * 1024;

/** Why a workspace takes no further note. */
export const NO_ROOM_CODES = ['plan-limit-notes', 'plan-limit-size', 'plan-limit-storage'] as const;

/**
 * @param bytes of the content in UTF-8
 * @param formerBytes of a note that has been larger since a downgrade: it may be shortened step by step
 * @throws HttpError 403 when it has more bytes than the plan of the workspace allows
 */
export function assertNoteFits(
  bytes: number,
  { noteSizeBytes }: { noteSizeBytes: number },
  formerBytes = 0,
): void {
  if (bytes > Math.max(noteSizeBytes, formerBytes)) {
    throw new HttpError(
      'plan-limit-size',
      `Content may have at most ${sizeOf(noteSizeBytes)} in this workspace`,
    );
  }
}

/** @throws HttpError 403 as `assertNoteFits`, of a note that gets a new content */
export async function assertChangeFits(
  content: string,
  limits: { noteSizeBytes: number },
  readFormer: () => Promise<{ content: string } | null>,
): Promise<void> {
  const bytes = Buffer.byteLength(content, 'utf8');
  if (bytes <= limits.noteSizeBytes) return;
  const former = await readFormer();
  assertNoteFits(bytes, limits, Buffer.byteLength(former?.content ?? '', 'utf8'));
}

/** The error of one more note in a workspace that has as many as the plan of its owner allows. */
export function workspaceFull({
  limits: { notesPerWorkspace },
  planName,
}: {
  limits: { notesPerWorkspace: number };
  planName: string;
}): Error {
  return new HttpError(
    'plan-limit-notes',
    `${planName} allows ${notesPerWorkspace} notes in a workspace`,
  );
}

/** The error of a deletion by an editor when the trash is full, or of more notes at once than it holds. */
export function trashFull({ trashedNotes }: { trashedNotes: number }, isOwner: boolean): Error {
  return new HttpError(
    'trash-full',
    isOwner
      ? `The trash holds ${trashedNotes} notes, and this one has more below it: delete some of those first`
      : `Editors have deleted ${trashedNotes} notes of this workspace, and only the owner can empty the trash`,
  );
}
