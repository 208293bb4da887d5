import { AtriumError } from '@atrium/client';
import type { Texts } from '../texts/en/visitor.ts';

/** What to tell a person about a failed request. */
export function errorText(error: unknown, { errors }: Texts): string {
  if (!(error instanceof AtriumError)) return errors.unexpected;
  if (error.status === 0) return errors.offline;
  if (error.status === 429) return errors.tooMany;
  const isAnswer = error.status < 500 || error.code === 'outcome-unknown';
  return isAnswer ? errors.rejection(error) : errors.unexpected;
}
