const ALPHABETS = [
  { only: /^[a-z]+$/, letters: 'abcdefghijklmnopqrstuvwxyz' },
  { only: /^[а-я]+$/, letters: 'абвгдежзиклмнопрстуфхцчшщъыьэюя' },
  { only: /^[α-ω]+$/, letters: 'αβγδεζηθικλμνξοπρστυφχψως' },
];
/** A shorter word is too easily another one; a longer one has too many spellings to look up. */
const LENGTH_MIN = 4;
const LENGTH_MAX = 20;

/**
 * Every text that one wrong, missing, additional or swapped letter makes of a folded word. Looking up
 * all of them finds each word at distance 1 in the index that also serves the search, and touches the
 * rows of the caller alone.
 */
export function spellingsOf(word: string): string[] {
  const alphabet = ALPHABETS.find(({ only }) => only.test(word))?.letters;
  if (alphabet === undefined || word.length < LENGTH_MIN || word.length > LENGTH_MAX) return [];
  const spellings = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at);
    const after = word.slice(at + 1);
    for (const letter of alphabet) {
      spellings.add(before + letter + word.slice(at));
      if (at < word.length) spellings.add(before + letter + after);
    }
    spellings.add(before + after);
    if (at + 1 < word.length) {
      spellings.add(before + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2));
    }
  }
  spellings.delete(word);
  return [...spellings];
}
