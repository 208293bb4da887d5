/** As `URL.hostname` says them. */
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);

/** What may be used without TLS: it does not leave the machine. */
export const isLoopbackUrl = (url: URL): boolean =>
  url.protocol === 'http:' && isLoopbackHost(url.hostname);
