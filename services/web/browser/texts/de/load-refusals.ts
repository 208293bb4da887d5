type Translate = (sentence: string) => string;

let translate: Translate = (sentence) => sentence;

/** The table is long, and most visits need none of it: it is loaded when a service first refuses something. */
export async function loadRefusals(): Promise<void> {
  translate = (await import('./refusals.ts')).translated;
}

/** A sentence of a service in German, once the table is loaded. */
export function translatedRefusal(sentence: string): string {
  return translate(sentence);
}
