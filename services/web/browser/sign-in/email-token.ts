const LINK =
  /^(\/(?:reset-password|verify-email|confirm-email|not-me|export|invitations))\/([\w.~-]{1,200})$/;

/** Where the link of an invitation leads. */
export const INVITATION_PATH = '/invitations';

/** By the path of the page that they are for. */
const tokens = new Map<string, string>();

/**
 * Takes the token of an email's link out of the URL, before anything can copy it from there, and
 * keeps it in memory; also that of an invitation, to which the page leads on. Called once, before the first
 * page is shown.
 */
export function takeEmailToken(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  history: { replaceState(state: unknown, title: string, url: string): void },
): void {
  const [, path, found] = LINK.exec(pathname) ?? [];
  if (path === undefined || found === undefined) return;
  tokens.set(path, found);
  const invitation = new URLSearchParams(search).get('invitation');
  if (invitation !== null) tokens.set(INVITATION_PATH, invitation);
  history.replaceState(null, '', path);
}

/** The token of the link to this page; null when the page was reloaded or opened without one. */
export function emailToken(path = window.location.pathname): string | null {
  return tokens.get(path) ?? null;
}
