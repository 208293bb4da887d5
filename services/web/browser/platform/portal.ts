const PATH = '/portal/';

/** Whether this is the portal of a product: webhooks of one product, without an account of the pages. */
export const isPortal = window.location.pathname.startsWith(PATH);

/** Whose webhooks these are, only in memory, so that it ends with the page; and what is done once it is refused. */
export const portalAccess = { token: '', onEnd: () => {} };

/** Takes the token of the link out of the address; null when the page was reloaded. */
export function takePortalToken(): string | null {
  const found = /^\/portal\/(ptl_[\w-]+)$/.exec(window.location.pathname)?.[1] ?? null;
  if (found !== null) window.history.replaceState(null, '', `${PATH}webhooks`);
  return found;
}
