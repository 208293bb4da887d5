const KIB = 1024;

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Such as "1.2 MB". */
export function sizeText(bytes: number, locale: string): string {
  const power = bytes < KIB ** 2 ? 1 : bytes < KIB ** 3 ? 2 : 3;
  const unit = UNITS[power - 1];
  const divisor = KIB ** power;
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  // Rounded up, so that a small file is never shown as nothing.
  return new Intl.NumberFormat(locale, format).format(Math.ceil((bytes / divisor) * 10) / 10);
}
