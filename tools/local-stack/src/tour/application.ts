import * as client from 'openid-client';
import type { PlatformUrls } from '../environment.ts';
import { field, type Person, request } from './http.ts';

/** Never asked: the browser of the tour reads the code from the address that it is sent to. */
const CALLBACK = 'http://127.0.0.1:8910/callback';

/** Registers an application. @returns what logs people in to it, as its program would */
export async function registerApplication(
  owner: Person,
  urls: PlatformUrls,
  password: string,
): Promise<client.Configuration> {
  const created = await request(owner, 'POST', `${urls.auth}/applications`, 201, {
    kind: 'web',
    name: 'Reading list',
    redirectUrls: [CALLBACK],
    scopes: ['notes:read'],
    password,
  });
  const { body } = await request(
    owner,
    'GET',
    `${urls.auth}/.well-known/openid-configuration`,
    200,
  );
  return client.discovery(
    new URL(field(body, 'issuer')),
    field(created.body, 'id'),
    {},
    client.ClientSecretBasic(field(created.body, 'secret')),
    { execute: [client.allowInsecureRequests] },
  );
}

/**
 * Logs a person in to an application, who allows what it asks for (OpenID Connect Core 3.1).
 *
 * @param browser is logged in to Atrium
 * @returns the access token of the application
 */
export async function logInToApplication(
  config: client.Configuration,
  urls: PlatformUrls,
  browser: Person,
): Promise<string> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const asked = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile notes:read',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const page = await request(browser, 'GET', asked.href, 303);
  const uid = /\/authorize\/([\w-]+)/.exec(page.headers.get('location') ?? '')?.[1] ?? '';
  const allowed = await request(browser, 'POST', `${urls.auth}/auth/authorize/${uid}/allow`, 200);
  const back = await request(browser, 'GET', field(allowed.body, 'location'), 303);
  const callback = new URL(back.headers.get('location') ?? '');
  const checks = { pkceCodeVerifier, expectedState };
  return (await client.authorizationCodeGrant(config, callback, checks)).access_token;
}
