/** Shorter words occur in too many good passwords. */
const WORD_LENGTH_MIN = 3;
/** Shorter words appear by chance once separators and lookalikes are replaced. */
const DERIVED_LENGTH_MIN = 4;

/** Characters used in place of letters; a 1 may be an i or an l. */
const LOOKALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  l: 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
};

/**
 * Whether a folded text contains a folded word: plain, backwards, or with accents, separators or
 * lookalikes in it (`4tr1um`, `a.t.r.i.u.m`).
 */
export function containsWord(text: string, word: string): boolean {
  if (word.length < WORD_LENGTH_MIN) {
    return false;
  }
  if (text.includes(word)) {
    return true;
  }
  const derived = simplify(word);
  const simple = simplify(text);
  return (
    derived.length >= DERIVED_LENGTH_MIN &&
    (simple.includes(derived) || simple.includes(Array.from(derived).toReversed().join('')))
  );
}

function simplify(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[01!l34@5$78]/g, (character) => LOOKALIKES[character] ?? character)
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
