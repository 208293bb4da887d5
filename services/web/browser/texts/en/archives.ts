import { inEnglish } from './numbers.ts';

export const archives = {
  import: 'Import',
  export: 'Export',
  exporting: (workspace: string) => `The archive of ${workspace} is being prepared`,
  importTitle: (workspace: string) => `Import into ${workspace}`,
  explanation:
    'Import an export of Atrium, a vault of Obsidian, an export of Notion or a folder of Markdown files, as a zip archive. Notes that an earlier import has created stay as they are.',
  drop: 'Drop a zip archive here, or',
  choose: 'Choose a file',
  uploading: 'Uploading the archive',
  keepsSending: 'You can close this, but leave the browser tab open until the archive is there.',
  checking: 'Checking the archive',
  progress: (done: number, total: number) =>
    `${inEnglish(done)} of ${inEnglish(total)} notes and files`,
  goesOn: 'You can close this. The import goes on, and its result is shown here.',
  completed: 'The import is complete',
  failed: 'The import failed',
  created: (count: number) =>
    count === 1 ? '1 note was created.' : `${inEnglish(count)} notes were created.`,
  unchanged: (count: number) =>
    count === 1 ? '1 was there already.' : `${inEnglish(count)} were there already.`,
  skipped: (count: number) =>
    count === 1
      ? '1 file of the archive was left out'
      : `${inEnglish(count)} files of the archive were left out`,
  /** Why the service has imported nothing, or not a file. */
  reason: (sentence: string) => sentence,
  more: (count: number) => `and ${inEnglish(count)} more`,
};
