import { idPattern } from '@atrium/contracts/ids';
import { stringify } from 'yaml';
import { parseYaml, UnreadableYaml } from './parse-yaml.ts';

/** What a Markdown file says of its note. */
export interface NoteFile {
  /** The id of the note that was exported to this file. */
  sourceId: string | undefined;
  title: string | undefined;
  tags: string[];
  pinned: boolean;
  isTemplate: boolean;
  createdAt: Date | undefined;
  updatedAt: Date | undefined;
  content: string;
}

/** Why one file is left out, in a sentence for its owner. */
export class UnreadableNote extends Error {}

const NOTE_ID = new RegExp(`^${idPattern('note')}$`);
const FRONT_MATTER = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
const EARLIEST = Date.UTC(1900, 0);

/** @throws UnreadableNote when it is not a text, or its front matter cannot be read */
export function readNoteFile(bytes: Uint8Array): NoteFile {
  const text = decode(bytes);
  const [block = '', yaml = ''] = FRONT_MATTER.exec(text) ?? [];
  const {
    id,
    title,
    tags,
    tag,
    pinned,
    template,
    createdAt,
    updatedAt,
    created,
    updated,
    ...others
  } = readFrontMatter(yaml);
  const sourceId = typeof id === 'string' && NOTE_ID.test(id) ? copy(id) : undefined;
  const kept = sourceId === undefined && id !== undefined ? { id, ...others } : others;
  return {
    sourceId,
    title: textOf(title) || undefined,
    tags: sourceId === undefined ? [...listOf(tags), ...listOf(tag)] : exactList(tags),
    pinned: pinned === true,
    isTemplate: template === true,
    createdAt: timeOf(createdAt ?? created),
    updatedAt: timeOf(updatedAt ?? updated),
    content: asCode(kept) + text.slice(block.length),
  };
}

/** In V8 a part of a string keeps the whole in memory, here that of the file for each id of an archive. */
function copy(id: string): string {
  return Buffer.from(id).toString();
}

/** Empty for what is no text. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableNote('It is not a text in UTF-8');
  }
  if (text.includes('\0')) throw new UnreadableNote('It has a NUL character');
  return text;
}

function readFrontMatter(yaml: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseYaml(yaml);
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    throw new UnreadableNote(`Its front matter is ${error.message}`);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UnreadableNote('Its front matter is not a list of properties');
  }
  return { ...value };
}

/** Properties that a note does not have, so that they are not lost. */
function asCode(properties: object): string {
  if (Object.keys(properties).length === 0) return '';
  return `\`\`\`yaml\n${stringify(properties, { lineWidth: 0 })}\`\`\`\n\n`;
}

function exactList(tags: unknown): string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** Also `a, b`, `#a #b` and numbers. */
function listOf(tags: unknown): string[] {
  const items: unknown[] = Array.isArray(tags) ? tags : textOf(tags).split(/[,\s]+/);
  return items.map((item) => textOf(item).replace(/^#/, '').trim());
}

function timeOf(value: unknown): Date | undefined {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return timeMs >= EARLIEST && timeMs <= Date.now() ? new Date(timeMs) : undefined;
}
