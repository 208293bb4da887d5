export const TARGET_URL_MAX_LENGTH = 2048;

export type TargetUrl = { kind: 'ok'; url: string } | { kind: 'refused'; message: string };

/** Text that means the same as a `Location` header as it does to the URL parser. */
const PLAIN = /^https?:\/\/[^/\\][\x21-\x5b\x5d-\x7e]*$/i;

function refused(message: string): TargetUrl {
  return { kind: 'refused', message };
}

/**
 * Whether a short link may lead there. A plain address is kept exactly as it was written; one with
 * spaces, backslashes or letters beyond ASCII is kept as browsers would send it, since a header can
 * carry nothing else.
 */
export function readTargetUrl(text: string): TargetUrl {
  const parsed = URL.parse(text);
  if (parsed === null) return refused('URL must be a valid URL');
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return refused('URL must begin with http:// or https://');
  }
  // https://bank.example@evil.example/ is how people are led astray.
  if (parsed.username !== '' || parsed.password !== '') {
    return refused('URL must not contain a username or password');
  }
  const url = PLAIN.test(text) ? text : parsed.href;
  if (url.length > TARGET_URL_MAX_LENGTH) {
    return refused(`URL must have at most ${TARGET_URL_MAX_LENGTH} characters`);
  }
  return { kind: 'ok', url };
}
