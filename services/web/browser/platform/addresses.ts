import type { Addresses } from '../../src/pages/addresses.ts';

function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** The server writes them into the page. */
export const addresses = JSON.parse(metaContent('atrium-addresses')) as Addresses;

/** Allows the style elements that components create while they run. */
export const styleNonce = metaContent('csp-nonce');
