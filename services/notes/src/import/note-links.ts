import { attachmentPath } from '@atrium/contracts/attachments';
import { idPattern } from '@atrium/contracts/ids';
import { NOTE_PATH } from '../export/markdown.ts';
import { rewriteLinks } from './links.ts';
import type { ArchiveContents } from './archive-contents.ts';

/** The ids that notes and files of the archive have in the workspace. */
export interface Ids {
  notes: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

const EXPORTED_FILE = new RegExp(`\\.\\./attachments/(${idPattern('fil')})-`, 'g');
const PICTURE = /\.(png|jpe?g|gif|webp|svg|avif|bmp)$/i;

/** Undoes what `toMarkdown` of an export did to the addresses of attachments and notes. */
export function linkExported(content: string, { files }: ArchiveContents, ids: Ids): string {
  let linked = content.replaceAll(NOTE_PATH, (path, sourceId: string) => {
    const id = ids.notes.get(sourceId);
    return id === undefined ? path : `/notes/${id}`;
  });
  const referred = new Set([...content.matchAll(EXPORTED_FILE)].map(([, id]) => id));
  for (const file of files.filter(({ sourceId }) => referred.has(sourceId))) {
    const id = ids.files.get(file.sourceId);
    if (id !== undefined) {
      linked = linked.replaceAll(`../${encodeURI(file.path)}`, () => attachmentPath(id));
    }
  }
  return linked;
}

/** Replaces links between files of a folder with addresses. */
export function linkForeign(
  content: string,
  from: string,
  contents: ArchiveContents,
  ids: Ids,
): string {
  return rewriteLinks(content, ({ target, label, isEmbedded, isPlain }) => {
    const found = contents.resolve(from, target);
    if (found === undefined) return undefined;
    if (found.kind === 'note') {
      // Titles are links by themselves.
      if (isPlain === true && found.title === target) return undefined;
      const address = `/notes/${ids.notes.get(found.sourceId)}`;
      return label === undefined ? address : `[${label}](${address})`;
    }
    const id = ids.files.get(found.sourceId);
    if (id === undefined) return undefined;
    if (label === undefined) return attachmentPath(id);
    const mark = isEmbedded === true && PICTURE.test(found.name) ? '!' : '';
    return `${mark}[${label}](${attachmentPath(id)})`;
  });
}
