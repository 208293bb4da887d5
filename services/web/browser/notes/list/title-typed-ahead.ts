/** Null when no new note is awaited. */
let typed: string | null = null;

/** From now on, what is typed is the title of a note that is being made. */
export function awaitTitle(): void {
  typed = '';
}

/** @returns what was typed meanwhile */
export function takeTitle(): string {
  const title = typed ?? '';
  typed = null;
  return title;
}

/** @returns whether a key is meant for the title of a note that is being made */
export function addToTitle(key: string): boolean {
  if (typed === null) return false;
  if (key === 'Tab' || key === 'Escape') typed = null;
  else if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return key === 'Enter';
  return typed !== null;
}
