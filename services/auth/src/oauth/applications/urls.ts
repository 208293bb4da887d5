import type { ApplicationKind } from '@atrium/contracts/auth/applications';
import { HttpError } from '@atrium/service-kit/http-error';
import { isLoopbackHost, isLoopbackUrl } from '../../loopback.ts';

export interface ApplicationUrls {
  homePage: string | null;
  redirectUrls: string[];
  postLogoutUrls: string[];
  backchannelLogoutUrl: string | null;
}

/** A scheme of an app is a domain name in reverse, which others do not take by accident (RFC 8252 section 7.1). */
const APP_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

const WEB_SCHEME = /^https?:$/;

/**
 * Checks the URLs that an owner registers. They are compared character by character later, so they are kept
 * as they were written.
 *
 * @throws HttpError 422
 */
export function checkUrls(kind: ApplicationKind, urls: ApplicationUrls): void {
  if (kind !== 'machine' && urls.redirectUrls.length === 0) {
    throw new HttpError('redirect-url-missing');
  }
  if (kind === 'machine' && urls.redirectUrls.length > 0) {
    throw refused('Nobody logs in to a machine, so it has no redirect URLs');
  }
  for (const text of [...urls.redirectUrls, ...urls.postLogoutUrls]) {
    const url = parse(text);
    const isApp = kind === 'native' && APP_SCHEME.test(url.protocol);
    const isHttps = url.protocol === 'https:' && !isLoopbackHost(url.hostname);
    if (kind === 'native' && !isApp && !WEB_SCHEME.test(url.protocol)) {
      throw refused(`${text} needs a dot in its scheme, as com.example.app:/callback has`);
    }
    if (!isApp && !isHttps && !isLoopbackUrl(url)) {
      throw refused(
        `${text} must begin with https, or with http and localhost or a loopback IP address`,
      );
    }
  }
  if (urls.homePage !== null && !WEB_SCHEME.test(parse(urls.homePage).protocol)) {
    throw refused(`${urls.homePage} must begin with https`);
  }
  if (urls.backchannelLogoutUrl !== null) {
    const url = parse(urls.backchannelLogoutUrl);
    if (url.protocol !== 'https:' && !isLoopbackUrl(url)) {
      throw refused(`${urls.backchannelLogoutUrl} must begin with https`);
    }
  }
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url === null) {
    throw refused(`${text} is not a whole URL, such as https://app.example.com/callback`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(`${text} must not have a user name or password in it`);
  }
  // What stands behind it never reaches a server, and a code that was sent there would be seen by scripts.
  if (text.includes('#')) throw refused(`${text} must not have a # in it`);
  return url;
}

const refused = (message: string) => new HttpError('url-not-allowed', message);
