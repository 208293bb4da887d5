import type { ServiceUrls } from './service-urls.ts';

/**
 * Only files of this service run. The nonce is for the style elements that the components create while
 * they run; nothing else may bring styles of its own.
 *
 * @param ancestors origins whose pages may show it in a frame
 */
export function contentSecurityPolicy(
  serviceUrls: ServiceUrls,
  nonce: string,
  ancestors: readonly string[],
): string {
  const { auth, notes, links, webhooks } = serviceUrls;
  const services = [...new Set([auth, notes, links, webhooks].map((url) => new URL(url).origin))];
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    // QR codes and chosen pictures are data: and blob:, avatars come from auth.
    'img-src': ["'self'", 'data:', 'blob:', new URL(auth).origin],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...services],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ancestors.length === 0 ? ["'none'"] : ancestors,
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}
