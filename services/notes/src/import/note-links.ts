import { attachmentPath } from '@atrium/contracts/notes/attachments';
import { idPattern } from '@atrium/contracts/ids';
import { NOTE_PATH, toRoot } from '../export/markdown.ts';
import { replaceEach, rewriteLinks } from './links.ts';
import type { ArchiveContents } from './archive-contents.ts';

/** The ids that notes and files of the archive have in the workspace. */
export interface Ids {
  notes: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

/** How an export writes the URL of an attachment, up to its name. */
const exportedFile = (root: string) =>
  new RegExp(`${root.replaceAll('.', String.raw`\.`)}attachments/(${idPattern('fil')})-`, 'g');
const PICTURE = /\.(png|jpe?g|gif|webp|svg|avif|bmp)$/i;

/** Undoes what `toMarkdown` of an export did to the URLs of attachments and notes. */
export async function linkExported(
  content: string,
  path: string,
  { filesById }: ArchiveContents,
  ids: Ids,
): Promise<string> {
  const linked = await replaceEach(content, NOTE_PATH, ([, sourceId = '']) => {
    const id = ids.notes.get(sourceId);
    return id === undefined ? undefined : { text: `/notes/${id}` };
  });
  const root = toRoot(path);
  return replaceEach(linked, exportedFile(root), ({ 1: sourceId = '', index }) => {
    const file = filesById.get(sourceId);
    const id = ids.files.get(sourceId);
    if (file === undefined || id === undefined) return undefined;
    const url = `${root}${encodeURI(file.path)}`;
    if (!linked.startsWith(url, index)) return undefined;
    return { text: attachmentPath(id), length: url.length };
  });
}

/** Replaces links between files of a folder with URLs. */
export function linkForeign(
  content: string,
  from: string,
  contents: ArchiveContents,
  ids: Ids,
): Promise<string> {
  return rewriteLinks(content, ({ target, label, isEmbedded, isPlain }) => {
    const found = contents.resolve(from, target);
    if (found === undefined) return undefined;
    if (found.kind === 'note') {
      // Titles are links by themselves.
      if (isPlain === true && found.title === target) return undefined;
      const url = `/notes/${ids.notes.get(found.sourceId)}`;
      return label === undefined ? url : `[${label}](${url})`;
    }
    const id = ids.files.get(found.sourceId);
    if (id === undefined) return undefined;
    if (label === undefined) return attachmentPath(id);
    const mark = isEmbedded === true && PICTURE.test(found.name) ? '!' : '';
    return `${mark}[${label}](${attachmentPath(id)})`;
  });
}
