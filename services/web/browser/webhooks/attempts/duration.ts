const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A duration in the unit that suits it, such as "38 ms" or "2.5 min". */
export function durationText(durationMs: number, locale: string): string {
  const [value, unit] =
    durationMs < SECOND_MS
      ? [durationMs, 'millisecond']
      : durationMs < MINUTE_MS
        ? [durationMs / SECOND_MS, 'second']
        : durationMs < HOUR_MS
          ? [durationMs / MINUTE_MS, 'minute']
          : [durationMs / HOUR_MS, 'hour'];
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(value);
}
