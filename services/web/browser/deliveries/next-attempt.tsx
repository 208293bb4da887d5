import { Time, useNow } from '../frame/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { whenDue } from './when-due.ts';

/** When a delivery is attempted next. */
export function NextAttempt({ at }: { at: string }) {
  const { page } = useAllText().deliveries;
  const due = whenDue(at, useNow());
  return due === 'later' ? <Time value={at} /> : <time dateTime={at}>{page[due]}</time>;
}
