import type { AtriumError } from '@atrium/client';

let translate = ({ message }: AtriumError): string => message;

/**
 * The table is long, and most visits need none of it: it is loaded with the first error of a service.
 * Without it, the sentence is shown in English.
 */
export async function loadErrorsIfShown(): Promise<void> {
  if (document.documentElement.lang !== 'de') return;
  const errors = await import('./errors.ts').catch(() => undefined);
  if (errors !== undefined) translate = errors.germanError;
}

/** A rejection in German, once the table is loaded. */
export function translatedError(refused: AtriumError): string {
  return translate(refused);
}
