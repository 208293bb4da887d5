import type { Attachment } from '@atrium/client';

/** What browsers show, and the service sends to be shown. */
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const KIB = 1024;

/** How a note refers to a file: images are shown, others are links that name their size. */
export function markdownOf({ name, path, type }: Attachment, size: string): string {
  const label = name.replaceAll(/[\\[\]]/g, String.raw`\$&`);
  return IMAGES.includes(type) ? `![${label}](${path})` : `[${label}](${path} "${size}")`;
}

/** Such as "1.2 MB". */
export function sizeText(bytes: number, locale: string): string {
  const isSmall = bytes < KIB ** 2;
  const unit = isSmall ? 'kilobyte' : 'megabyte';
  const divisor = isSmall ? KIB : KIB ** 2;
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  // Rounded up, so that a small file is never shown as nothing.
  return new Intl.NumberFormat(locale, format).format(Math.ceil((bytes / divisor) * 10) / 10);
}
