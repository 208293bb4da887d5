import type { ServiceUrls } from '../../src/pages/service-urls.ts';

function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** The server writes them into the page. */
export const serviceUrls = JSON.parse(metaContent('atrium-service-urls')) as ServiceUrls;

/** Allows the style elements that components create while they run. */
export const styleNonce = metaContent('csp-nonce');
