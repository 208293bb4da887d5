import type { SessionTexts } from '../../../texts/signed-in-texts.tsx';

type BlockName = keyof SessionTexts['notes']['editor']['blocks'];

/** The Markdown that the slash menu inserts; \0 is where the cursor goes. */
export function blocksOf({
  notes: { editor },
}: SessionTexts): { label: string; markdown: string }[] {
  const { blocks, tableColumn: column } = editor;
  const markdown: Record<BlockName, string> = {
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
  };
  const names = Object.keys(markdown) as BlockName[];
  return names.map((name) => ({ label: blocks[name], markdown: markdown[name] }));
}
