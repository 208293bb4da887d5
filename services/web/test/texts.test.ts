import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AUDIT_KINDS } from '@atrium/contracts/auth/audit';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { account as german } from '../browser/texts/de/account.ts';
import { account } from '../browser/texts/en/account.ts';

const BROWSER = fileURLToPath(new URL('../browser', import.meta.url));
const LETTER = /\p{L}/u;
/** Attributes that people read. */
const READABLE = new Set(['alt', 'aria-label', 'description', 'label', 'placeholder', 'title']);

interface Node {
  type: string;
  value?: unknown;
  name?: { name?: string };
  callee?: { name?: string };
  [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** What people can read in a source file: text between tags, in attributes, and sentences in code. */
function readableTexts(source: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    // Errors of the program, which only its developers see, and what a service would say.
    if (node.type === 'NewExpression' && /^(Atrium)?Error$/.test(node.callee?.name ?? '')) return;
    if (node.type === 'ImportDeclaration') return;
    const attribute = node.type === 'JSXAttribute' && READABLE.has(String(node.name?.name));
    const literal = attribute ? (node.value as Node | null)?.value : node.value;
    const isText = node.type === 'JSXText' || attribute;
    const isSentence = node.type === 'Literal' && /^\p{Lu}.* /u.test(String(literal));
    if (typeof literal === 'string' && LETTER.test(literal) && (isText || isSentence)) {
      found.push(literal.trim());
    }
    for (const child of Object.values(node).flat()) {
      if (isNode(child)) visit(child);
    }
  };
  visit(parseSync('page.tsx', source).program as unknown as Node);
  return found;
}

test('finds texts between tags, in attributes and in sentences', () => {
  const source = `toast('Saved your work'); const a = <p title="Hint">Hello {name}</p>;`;
  expect(readableTexts(source)).toEqual(['Saved your work', 'Hint', 'Hello']);
});

test('no page has a text of its own', async () => {
  const texts: string[] = [];
  for await (const file of glob('**/*.{ts,tsx}', { cwd: BROWSER })) {
    if (file.startsWith('texts/') || file.startsWith('test/')) continue;
    const source = await readFile(join(BROWSER, file), 'utf8');
    texts.push(...readableTexts(source).map((text) => `${file}: ${text}`));
  }
  expect(texts).toEqual([]);
});

test('names every kind of event in the activity log', () => {
  expect(Object.keys(account.activity.kinds).toSorted()).toEqual(AUDIT_KINDS.toSorted());
});

test('names the device of a session in German, also one that says nothing of itself', () => {
  const { device } = german.sessions;
  expect(device('Firefox', 'Linux')).toBe('Firefox auf Linux');
  expect(device('Unknown browser', 'unknown system')).toBe(
    'Unbekannter Browser auf unbekanntem System',
  );
});
