const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const RELATIVE_MAX_S = 7 * DAY_S;

const formats = new Map<string, ReturnType<typeof createFormats>>();

function createFormats(locale: string) {
  return {
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
    exact: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long' }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
  };
}

/** Made once: it takes longer than the rest of a row of a list. */
function formatsOf(locale: string) {
  const made = formats.get(locale) ?? createFormats(locale);
  formats.set(locale, made);
  return made;
}

/** With its zone. */
export function exactTime(time: Date, locale: string): string {
  return formatsOf(locale).exact.format(time);
}

/** "5 minutes ago" or "in 3 days"; a date when it is more than a week away. */
export function relativeTime(
  time: Date,
  nowMs: number,
  { locale, now }: { locale: string; now: string },
): string {
  const seconds = Math.round((time.getTime() - nowMs) / 1000);
  const distance = Math.abs(seconds);
  const { date, relative: format } = formatsOf(locale);
  if (distance > RELATIVE_MAX_S) return date.format(time);
  if (distance < MINUTE_S) return now;
  if (distance < HOUR_S) return format.format(Math.trunc(seconds / MINUTE_S), 'minute');
  if (distance < DAY_S) return format.format(Math.trunc(seconds / HOUR_S), 'hour');
  return format.format(Math.trunc(seconds / DAY_S), 'day');
}
