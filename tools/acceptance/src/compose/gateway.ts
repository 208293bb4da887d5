import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Atrium } from '@atrium/client';
import { followDeliveries } from '@atrium/client/deliveries';
import { createFiles } from '@atrium/client/files';
import { followNote } from '@atrium/client/presence';
import { createWorkspaces } from '@atrium/client/workspaces';
import { until } from '@atrium/testkit/until';

/** More than anything on the way buffers. */
const FILE_BYTES = 50 * 1024 ** 2;
const SLOW = { deadlineMs: 180_000 };

/** An attachment, to be found again. */
export interface AttachedFile {
  id: string;
  digest: string;
}

/** Attaches a large file to a note, exports its workspace, and imports the archive into another one. */
export async function passLargeFile(atrium: Atrium): Promise<AttachedFile> {
  const files = createFiles(atrium);
  const described = { name: 'Seeds', description: '' };
  const { id } = await atrium.notes.createWorkspace(described);
  const bytes = new Blob([randomBytes(FILE_BYTES)]);
  const file = await files.uploadAttachment(id, 'seeds.bin', bytes, SLOW);
  await atrium.notes.createNote(id, { title: 'Seeds', content: `[All of them](${file.path})` });
  const archive = await new Response(await files.exportWorkspace(id, SLOW)).blob();

  const copy = await atrium.notes.createWorkspace(described);
  const { id: importId } = await files.importNotes(copy.id, archive, SLOW);
  const imported = await until(
    async () => {
      const found = await files.getImport(copy.id, importId);
      return found.finishedAt !== null && found;
    },
    { timeoutMs: SLOW.deadlineMs },
  );
  assert.equal(imported.state, 'completed', imported.error ?? '');
  const again = await new Response(await files.exportWorkspace(copy.id, SLOW)).blob();
  assert.equal(await digestOf(again), await digestOf(archive), 'the export of the import differs');
  return { id: file.id, digest: await digestOf(bytes) };
}

export async function assertFileIsThere(atrium: Atrium, file: AttachedFile): Promise<void> {
  const content = await createFiles(atrium).downloadAttachment(file.id, SLOW);
  assert.equal(await digestOf(await new Response(content).blob()), file.digest);
}

/** A stream that anything on the way buffers says nothing before it ends. */
export async function followChanges(atrium: Atrium, workspaceId: string): Promise<void> {
  const following = new AbortController();
  const note = await atrium.notes.createNote(workspaceId, { title: 'Live', content: 'Sow' });
  const saved = followNote(createWorkspaces(atrium), note.id, following);
  const delivered = followDeliveries(atrium, { event: 'note.shared' }, following);
  try {
    // What holds at the moment comes first.
    assert.equal((await saved.next()).value?.kind, 'saved');
    assert.equal((await saved.next()).value?.kind, 'present');
    assert.equal((await delivered.next()).value?.kind, 'ready');
    const { etag } = await atrium.notes.updateNote(
      note.id,
      { content: 'Sow and water' },
      { ifMatch: note.etag },
    );
    const change = (await saved.next()).value;
    assert.equal(change?.kind === 'saved' && change.etag, etag);
    await atrium.notes.shareNote(note.id);
    assert.equal((await delivered.next()).value?.kind, 'delivery');
  } finally {
    following.abort();
  }
}

async function digestOf(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  return createHash('sha256').update(bytes).digest('hex');
}
