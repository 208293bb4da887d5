/** Outside of browsers `fetch` keeps no cookies: the refresh and the device cookie are kept here, in memory. */
export interface CookieJar {
  header(): string | undefined;
  store(headers: Headers): void;
}

/** @returns undefined in a browser, which keeps the cookies out of reach of scripts */
export function createCookieJar(): CookieJar | undefined {
  return 'document' in globalThis ? undefined : openCookieJar(new Map());
}

/** @param cookies values by name, which responses change */
export function openCookieJar(cookies: Map<string, string>): CookieJar {
  return {
    header() {
      if (cookies.size === 0) return undefined;
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    store(headers) {
      for (const line of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}
