/**
 * Where to go after a login: the URL that asked for it, if it is on the list of origins, else the
 * first page. A URL from outside must not lead a person to a page that only looks like ours.
 */
export function checkedReturnTo(asked: unknown, origins: readonly string[]): URL {
  const [own = ''] = origins;
  const start = new URL('/', own);
  if (typeof asked !== 'string') return start;
  const url = URL.parse(asked, own);
  return url !== null && origins.includes(url.origin) ? url : start;
}
