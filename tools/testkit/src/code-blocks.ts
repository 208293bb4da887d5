import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..', '..');

/** The code blocks of a document by what follows their three backticks. */
export async function codeBlocks(document: string): Promise<Map<string, string>> {
  const text = await readFile(join(repository, document), 'utf8');
  const blocks = text.matchAll(/^```([^\n]+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]));
}

export function codeBlock(blocks: Map<string, string>, name: string): string {
  const code = blocks.get(name);
  if (code === undefined) throw new Error(`The document has no block ${name}`);
  return code;
}
