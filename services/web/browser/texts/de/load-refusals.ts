import type { AtriumError } from '@atrium/client';

let translate = ({ message }: AtriumError): string => message;

/**
 * The table is long, and most visits need none of it: it is loaded when a service first refuses something.
 * Without it, the sentence is shown in English.
 */
export async function loadRefusalsIfShown(): Promise<void> {
  if (document.documentElement.lang !== 'de') return;
  const refusals = await import('./refusals.ts').catch(() => undefined);
  if (refusals !== undefined) translate = refusals.germanRefusal;
}

/** A refusal in German, once the table is loaded. */
export function translatedRefusal(refused: AtriumError): string {
  return translate(refused);
}
