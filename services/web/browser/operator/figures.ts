import { useTranslation } from '../texts/texts.tsx';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How numbers and durations read in the language of the page. */
export function useFigures() {
  const { locale } = useTranslation();
  return {
    count: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** In the largest unit that it fills: "1.5 hours". */
    duration: (seconds: number) => {
      const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
      const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(locale, style).format(seconds / size);
    },
  };
}
