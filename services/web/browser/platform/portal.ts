/** Whether this is the portal of a product: webhooks of one product, without an account of the pages. */
export const isPortal = window.location.pathname.startsWith('/portal/');

/** Whose webhooks these are; only in memory, so that it ends with the page. */
export const portalAccess = { token: '' };
