const ATTACHMENT = /^\/api\/attachments\/(fil_[0-9a-z]{26})\/content$/;
const SAFE = ['http:', 'https:', 'mailto:'];

/** @returns the URL that a link of a note leads to; null when it could run something */
export function safeUrl(written: string): string | null {
  const url = written.replace(/^<(.*)>$/, '$1');
  const parsed = URL.parse(url, location.origin);
  return parsed !== null && SAFE.includes(parsed.protocol) ? url : null;
}

/** What somebody has written without a scheme: `www.example.com` and `name@example.com`. */
export function withScheme(written: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(written)) return written;
  return written.includes('@') ? `mailto:${written}` : `http://${written}`;
}

/** @returns undefined when it is no attachment */
export const attachmentId = (url: string): string | undefined => ATTACHMENT.exec(url)?.[1];
