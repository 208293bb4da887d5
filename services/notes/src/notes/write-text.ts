import { recordActivity } from '../activity/record.ts';
import { keepReferencedFiles } from '../attachments/references.ts';
import { keepLinks, recordLinks } from '../backlinks/record.ts';
import type { Tx } from '../database.ts';
import { addToIndex, updateInIndex } from '../search-index/store.ts';
import { assertStorageFits } from '../storage-use/store.ts';
import { type RecordedText, recordVersion } from '../versions/record.ts';

/** What a note was before it got another text. */
export interface Former {
  formerTitle: string;
  /** Whether its content or tags were others. */
  isEdited: boolean;
}

interface Writing {
  accountId: string;
  /** Undefined for a new note. */
  former?: Former;
  /** Whether the text is that of a former version, and so is to be one of its own. */
  isRestore?: boolean;
}

interface WrittenNote extends RecordedText {
  isTemplate: boolean;
}

/**
 * Writes what belongs to the new text of a note, in the transaction that has written the text and so locked the
 * note: its version, the files that it refers to, the search index, its links, the activity and the event.
 *
 * @throws HttpError 403 when the owner of the workspace has no space left for it
 */
export async function writeText(tx: Tx, note: WrittenNote, writing: Writing): Promise<void> {
  const { accountId, former, isRestore } = writing;
  await keepReferencedFiles(tx, note, accountId);
  await recordVersion(tx, note, accountId, isRestore);
  await assertStorageFits(tx, note.workspaceId);
  if (!note.isTemplate) {
    await (former === undefined
      ? addToIndex(tx, note.workspaceId, [note])
      : updateInIndex(tx, note));
    if (former?.isEdited !== false) await recordLinks(tx, note);
    if (former !== undefined) await keepLinks(tx, note, former.formerTitle);
  }
  await recordChange(tx, note, writing);
}

async function recordChange(
  tx: Tx,
  { id: noteId, workspaceId, title }: WrittenNote,
  { accountId, former, isRestore }: Writing,
): Promise<void> {
  const change = { workspaceId, accountId, noteId, title };
  if (former === undefined) return recordActivity(tx, { ...change, kind: 'note.created' });
  if (isRestore) return recordActivity(tx, { ...change, kind: 'note.version_restored' });
  const { formerTitle, isEdited } = former;
  if (title !== formerTitle) {
    await recordActivity(tx, { ...change, kind: 'note.renamed', formerTitle });
  }
  if (isEdited) await recordActivity(tx, { ...change, kind: 'note.edited' });
}
