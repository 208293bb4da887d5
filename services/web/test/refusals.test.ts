import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { refusals, translated } from '../browser/texts/de/refusals.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES =
  '{services/{auth,notes,links,webhook-dispatcher},packages/{contracts,service-kit}}/src/**/*.ts';
/** What the services refuse something with, and which argument the sentence is. Pages show none of a 503. */
const REFUSALS: Record<string, number> = {
  badRequest: 0,
  unauthorized: 0,
  forbidden: 0,
  planLimitExceeded: 0,
  conflict: 0,
  preconditionFailed: 0,
  validationError: 0,
  refused: 0,
  skip: 0,
  RefusedArchive: 0,
  UnreadableNote: 0,
  HttpError: 1,
};
/** Sentences that a page cannot cause: they are for developers and operators. */
const NOT_FOR_PEOPLE = new Set([
  'A part of the URL is too long',
  'A request with this Idempotency-Key is in progress',
  'Content-Type must be application/json',
  'Cursor is not valid',
  'Expectation is not supported',
  'Idempotency-Key was used for another request',
  'Internal secret is missing or wrong',
  'Lease has ended',
  'Login has expired, please start again',
  'Login has not been confirmed yet',
  'Login was denied',
  'Only one of code, recoveryCode and passkey may be given',
  'Open the note first',
  'Request body has too many values',
  'Request body is not as long as Content-Length says',
  'Request body is not valid JSON',
  'Request body is not valid UTF-8',
  'Request body is required, with its Content-Length',
  'Request headers are too large',
  'Request is not valid HTTP',
  'Request took too long to arrive',
  'Service signature uses previous until must be within the next {} hours',
  'The client has closed the connection',
  'The service is shutting down, please try again',
  'This note needs its password',
  'Wait {} seconds longer between two requests',
  'X-Cron-Secret is missing or wrong',
  'ids must name at most {} users',
  'q must not be empty',
  '{} is not a known field',
  '{} must be {}',
  // The parts of a sentence, each of which has an entry of its own.
  '{} {}',
]);

interface Node {
  type: string;
  [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The sentences that an expression may have as its value, with `{}` for what is put into them. */
function sentencesOf(node: Node): string[] {
  const parts = (name: string) => (node[name] as Node[]).filter(isNode);
  switch (node.type) {
    case 'Literal':
      return [String(node['value'])];
    case 'TemplateLiteral':
      return [
        parts('quasis')
          .map(({ value }) => (value as { cooked: string }).cooked)
          .join('{}'),
      ];
    case 'ConditionalExpression':
      return [node['consequent'], node['alternate']].filter(isNode).flatMap(sentencesOf);
    case 'BinaryExpression':
      return [[node['left'], node['right']].filter(isNode).flatMap(sentencesOf).join('')];
    default:
      return [];
  }
}

/** What a call, or a `new` error, refuses with. */
function refusalOf(node: Node): string[] {
  const { name = '' } = (node['callee'] ?? {}) as { name?: string };
  const position = REFUSALS[name];
  if (position === undefined) return [];
  const sentence = (node['arguments'] as unknown[]).filter(isNode)[position];
  return sentence === undefined ? [] : sentencesOf(sentence);
}

const nodes: Node[] = [];
for await (const file of glob(SOURCES, { cwd: ROOT })) {
  if (/\.(test|fixture)\.ts$|\/generated\//.test(file)) continue;
  const source = await readFile(join(ROOT, file), 'utf8');
  collect(parseSync(file, source).program as unknown as Node);
}

function collect(node: Node): void {
  nodes.push(node);
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) collect(child);
  }
}

test('every sentence with which a service refuses something has a German one', () => {
  const sentences = new Set(nodes.flatMap(refusalOf));
  expect(sentences.size).toBeGreaterThan(50);
  const isForPeople = (sentence: string) => !NOT_FOR_PEOPLE.has(sentence);
  const unknown = [...sentences].filter((sentence) => translated(sentence) === sentence);
  expect(unknown.filter(isForPeople)).toEqual([]);
});

test('every sentence that has a German one is still in a service', () => {
  const said = new Set(nodes.flatMap(sentencesOf));
  // A rule has no name of a field before it, and a noun is counted by a function.
  const ruleOf = (sentence: string) =>
    sentence.replace(/^\{\} /, '').replace(/\{\} (character|item)s?/, '{}');
  const isSaid = (sentence: string) => said.has(sentence) || said.has(ruleOf(sentence));
  expect(Object.keys(refusals).filter((sentence) => !isSaid(sentence))).toEqual([]);
});

test.each([
  ['Username is already taken', 'Dieser Benutzername ist vergeben'],
  ['New password must be at least 8 characters long', 'Mindestens 8 Zeichen'],
  [
    'The Free plan allows 100 notes in a workspace',
    'Der Tarif erlaubt 100 Notizen je Arbeitsbereich',
  ],
  ['Link not found', 'Das gibt es nicht oder nicht mehr'],
])('says %j in German', (sentence, ours) => {
  expect(translated(sentence)).toBe(ours);
});

test('leaves a sentence as it is that is not known', () => {
  expect(translated('The moon is not full')).toBe('The moon is not full');
});
