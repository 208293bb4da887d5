const ATTACHMENT = /^\/api\/attachments\/(fil_[0-9a-z]{26})\/content$/;
const SAFE = ['http:', 'https:', 'mailto:'];

/** @returns the address that a link of a note leads to; null when it could run something */
export function safeAddress(written: string): string | null {
  const address = written.replace(/^<(.*)>$/, '$1');
  const url = URL.parse(address, location.origin);
  return url !== null && SAFE.includes(url.protocol) ? address : null;
}

/** What somebody has written without a scheme: `www.example.com` and `name@example.com`. */
export function completedAddress(written: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(written)) return written;
  return written.includes('@') ? `mailto:${written}` : `http://${written}`;
}

/** @returns undefined when it is no attachment */
export const attachmentId = (address: string): string | undefined => ATTACHMENT.exec(address)?.[1];
