import { Time, useNow } from '../ui/times/time.tsx';
import { exactTime } from '../ui/times/time-text.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { whenDue } from './when-due.ts';

/** When a delivery is attempted next. */
export function NextAttempt({ at }: { at: string }) {
  const { page } = useAllText().deliveries;
  const { locale } = useTranslation();
  const due = whenDue(at, useNow());
  if (due === 'later') return <Time value={at} />;
  return (
    <time dateTime={at} title={exactTime(new Date(at), locale)}>
      {page[due]}
    </time>
  );
}
