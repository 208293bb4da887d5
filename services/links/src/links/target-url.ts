const TARGET_URL_MAX_LENGTH = 2048;

type TargetUrl = { kind: 'ok'; url: string } | { kind: 'refused'; message: string };

/** Text that browsers read the same way in a `Location` header as the URL parser does. */
const PLAIN = /^https?:\/\/[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]*$/i;

/** A plain URL as it is written, any other in its encoded form, which fits a header. */
export function toHeaderUrl(url: string): string {
  return PLAIN.test(url) ? url : new URL(url).href;
}

function refused(message: string): TargetUrl {
  return { kind: 'refused', message };
}

/**
 * Checks the target of a short link. A plain URL is kept exactly as written. One with spaces,
 * backslashes or characters beyond ASCII is kept in its encoded form.
 */
export function readTargetUrl(text: string): TargetUrl {
  const parsed = URL.parse(text);
  if (parsed === null) return refused('URL must be a valid URL');
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return refused('URL must begin with http:// or https://');
  }
  // https://bank.example@evil.example/ looks like a link to the bank.
  if (parsed.username !== '' || parsed.password !== '') {
    return refused('URL must not contain a username or password');
  }
  const url = toHeaderUrl(text);
  if (url.length > TARGET_URL_MAX_LENGTH) {
    return refused(`URL must have at most ${TARGET_URL_MAX_LENGTH} characters`);
  }
  return { kind: 'ok', url };
}
