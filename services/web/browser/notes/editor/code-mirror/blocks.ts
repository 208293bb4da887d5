import type { SessionTexts } from '../../../texts/signed-in-texts.tsx';

type BlockName = keyof SessionTexts['notes']['editor']['blocks'];

/** What the slash menu offers: Markdown, in which \0 is where the cursor goes, or a file of this device. */
export interface Block {
  name: string;
  label: string;
  markdown: string | null;
}

export function blocksOf({ notes: { editor } }: SessionTexts): Block[] {
  const { blocks, tableColumn: column } = editor;
  const markdown: Record<BlockName, string | null> = {
    heading1: '# \0',
    heading2: '## \0',
    heading3: '### \0',
    list: '- \0',
    numbered: '1. \0',
    task: '- [ ] \0',
    quote: '> \0',
    code: '```\n\0\n```',
    table: `| ${column} | ${column} |\n| --- | --- |\n| \0 |  |`,
    divider: '---\n\0',
    image: null,
    file: null,
  };
  const names = Object.keys(markdown) as BlockName[];
  return names.map((name) => ({ name, label: blocks[name], markdown: markdown[name] }));
}
