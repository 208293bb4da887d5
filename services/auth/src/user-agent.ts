import bowser from 'bowser';

const FAMILY_LENGTH_MAX = 40;

/** Families only ("Firefox", "Linux"). The client chooses this text, so it proves nothing. */
export function parseUserAgent(userAgent: string): { browser: string; os: string } {
  const unknown = { browser: 'Unknown browser', os: 'unknown system' };
  if (userAgent === '') {
    return unknown;
  }
  const { browser, os } = bowser.parse(userAgent);
  return { browser: family(browser.name) ?? unknown.browser, os: family(os.name) ?? unknown.os };
}

/** For an unknown product bowser returns the client's own text, which may be long and versioned. */
function family(name: string | undefined): string | undefined {
  const product = name?.split('/', 1)[0]?.trim().slice(0, FAMILY_LENGTH_MAX);
  return product === '' ? undefined : product;
}
