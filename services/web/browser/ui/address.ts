const WITH_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** An address as people type it; without a scheme it is one of the web. */
export function toDestination(typed: string): string {
  const address = typed.trim();
  return WITH_SCHEME.test(address) ? address : `https://${address}`;
}

/** Whether the service would accept the address as the destination of a link. */
export function isDestination(typed: string): boolean {
  const url = URL.parse(toDestination(typed));
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** An address as people read it: without its scheme. */
export function readableAddress(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
