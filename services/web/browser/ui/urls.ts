/** What has a dot is rather a host with a port. */
const WITH_SCHEME = /^(?!localhost:)[a-z][a-z\d+-]*:/i;

/** A URL as people type it; without a scheme it is one of the web. */
export function toDestination(typed: string): string {
  const url = typed.trim();
  return WITH_SCHEME.test(url) ? url : `https://${url}`;
}

/** Whether the service would accept the URL as the destination of a link. */
export function isDestination(typed: string): boolean {
  const url = URL.parse(toDestination(typed));
  if (url === null || url.username !== '' || url.password !== '') return false;
  // Chromium escapes what no host may have.
  if (url.hostname.includes('%')) return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** A URL as people read it: without its scheme and a slash at its end. */
export function readableUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
