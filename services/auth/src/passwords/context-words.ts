/** Shorter names occur in too many good passwords. */
const WORD_LENGTH_MIN = 3;
/** Shorter words turn up by chance where separators are left out or characters stand for others. */
const DERIVED_LENGTH_MIN = 4;

/** What people write for a letter; a 1 may be an i or an l. */
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
 * Whether a text contains a word as it is, backwards, with accents, separators or lookalikes in it
 * (`4tr1um`, `a.t.r.i.u.m`). Both are folded already.
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
