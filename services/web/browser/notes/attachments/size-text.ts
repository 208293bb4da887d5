const KIB = 1024;

/** Such as "1.2 MB". */
export function sizeText(bytes: number, locale: string): string {
  const isSmall = bytes < KIB ** 2;
  const unit = isSmall ? 'kilobyte' : 'megabyte';
  const divisor = isSmall ? KIB : KIB ** 2;
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  // Rounded up, so that a small file is never shown as nothing.
  return new Intl.NumberFormat(locale, format).format(Math.ceil((bytes / divisor) * 10) / 10);
}
