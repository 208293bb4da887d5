/** Where this page and the four services answer; the server writes it into the page. */
interface Addresses {
  web: string;
  auth: string;
  notes: string;
  links: string;
  webhooks: string;
  returnOrigins: string[];
}

function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

export const addresses = JSON.parse(metaContent('atrium-addresses')) as Addresses;

/** Allows the style elements that components create while they run. */
export const styleNonce = metaContent('csp-nonce');
