const LINK =
  /^\/(reset-password|verify-email|confirm-email|not-me|export|invitations)\/([\w.~-]{1,200})$/;

let token: string | null = null;

/**
 * Takes the token of an email's link out of the address, before anything can copy it from there, and
 * keeps it in memory. Called once, before the first page is shown.
 */
export function takeEmailToken(
  location: Pick<Location, 'pathname'>,
  history: { replaceState(state: unknown, title: string, url: string): void },
): void {
  const [, page, found] = LINK.exec(location.pathname) ?? [];
  if (page === undefined || found === undefined) return;
  token = found;
  history.replaceState(null, '', `/${page}`);
}

/** The token of the link that led here; null when the page was reloaded or opened without one. */
export function emailToken(): string | null {
  return token;
}
