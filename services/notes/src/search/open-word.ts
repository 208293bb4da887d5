const WORD = /^[\p{L}\p{N}](?:[^"]*[\p{L}\p{N}\p{M}])?$/u;

/**
 * Whether the query ends in a word that may still be being typed, which then also stands for every
 * word that begins with it. A phrase in quotes, an excluded word and a word followed by a space are
 * finished.
 */
export function endsInOpenWord(query: string): boolean {
  if ((query.split('"').length - 1) % 2 === 1) return false;
  return WORD.test(query.split(/\s/).at(-1) ?? '');
}
