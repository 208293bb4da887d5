import { CST, Lexer, parse } from 'yaml';

/** What a YAML text is, so that it cannot be read: the end of a sentence. */
export class UnreadableYaml extends Error {}

/** Far above what notes have: the time for what is no YAML grows with the square of its length. */
const MAX_LENGTH = 4 * 1024;
/** Each alias repeats what it names: a few lines of them could fill the memory. */
const ALIASES_MAX = 50;
const COMPLEXITY_MAX = 300;
/**
 * Collections within another take the parser longer the deeper they are. As keys, which `?` makes of them
 * in two characters, they take the cube of their depth: 600 bytes once took 15 seconds.
 */
const COMPLEXITY = new Map([
  ['explicit-key-ind', COMPLEXITY_MAX + 1],
  ['flow-seq-start', 10],
  ['flow-map-start', 10],
  ['flow-seq-end', 1],
  ['flow-map-end', 1],
  ['seq-item-ind', 1],
  ['map-value-ind', 1],
]);

/**
 * Parses YAML of a file from outside in a bounded time, in which nothing else runs.
 *
 * @throws UnreadableYaml
 */
export function parseYaml(text: string): unknown {
  if (text.length > MAX_LENGTH) throw new UnreadableYaml('too long');
  let complexity = 0;
  for (const token of new Lexer().lex(text)) {
    complexity += COMPLEXITY.get(CST.tokenType(token) ?? '') ?? 0;
    if (complexity > COMPLEXITY_MAX) throw new UnreadableYaml('too complex');
  }
  try {
    return parse(text, {
      schema: 'core',
      maxAliasCount: ALIASES_MAX,
      logLevel: 'error',
      prettyErrors: false,
    });
  } catch {
    throw new UnreadableYaml('not valid YAML');
  }
}
