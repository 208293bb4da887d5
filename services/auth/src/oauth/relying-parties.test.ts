import { sessionDigest } from '@atrium/service-kit/revoked-sessions';
import * as client from 'openid-client';
import * as oauth from 'oauth4webapi';
import { afterAll, expect, test } from 'vitest';
import { PASSWORD } from '../test-app.ts';
import {
  beginLogin,
  CALLBACK,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
const person = await makeVerified(app, 'person');
const web = await makeApplication(app, owner.accessToken);
const config = await relyingParty(origin, web);
const statusOf = async (token: string) => (await app.call('GET', '/user/me', { token })).status;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('the description says what is supported, at the address of the service', async () => {
  const metadata = config.serverMetadata();
  expect(metadata).toMatchObject({
    issuer: origin,
    jwks_uri: `${origin}/.well-known/jwks.json`,
    authorization_endpoint: `${origin}/auth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    pushed_authorization_request_endpoint: `${origin}/oauth/par`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    backchannel_logout_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  expect(metadata.id_token_signing_alg_values_supported?.toSorted()).toEqual(['EdDSA', 'RS256']);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  const response = await app.server.inject({ url: '/.well-known/openid-configuration', headers });
  expect(response.json()).toMatchObject({
    issuer: origin,
    token_endpoint: `${origin}/oauth/token`,
  });
});

test('the access token is one of our services, with the scopes', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope: 'openid account:read' });
  expect(claimsOf(tokens.access_token)).toMatchObject({
    iss: 'atrium',
    aud: 'atrium',
    sub: person.id,
    sid: expect.stringMatching(/^gnt_/),
    plan: 'free',
    ev: true,
    scope: 'account:read',
    client_id: web.id,
  });
  expect(await statusOf(tokens.access_token)).toBe(200);
  const narrow = await logInTo(config, browser, 'person', { scope: 'openid notes:read' });
  expect(await statusOf(narrow.access_token)).toBe(403);
  const other = await beginLogin(config, { scope: 'openid links:write' });
  expect((await browser.open(other.url)).searchParams.get('error')).toBe('invalid_scope');
});

test('refresh tokens rotate, and end with the session unless the person allows otherwise', async () => {
  const browser = openBrowser(origin);
  const scope = 'openid account:read';
  const first = await logInTo(config, browser, 'person', { scope });
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const offline = await logInTo(config, browser, 'person', {
    scope: `${scope} offline_access`,
    prompt: 'consent',
  });
  const third = await client.refreshTokenGrant(config, second.refresh_token ?? '');
  expect(await statusOf(third.access_token)).toBe(200);
  await browser.post('/auth/logout', undefined);
  expect(await statusOf(third.access_token)).toBe(401);
  await expect(client.refreshTokenGrant(config, third.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await statusOf(offline.access_token)).toBe(200);
  const later = await client.refreshTokenGrant(config, offline.refresh_token ?? '');
  expect(await statusOf(later.access_token)).toBe(200);
});

test('a token for the person alone answers who they are, and so does the ID token', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope: 'openid profile email' });
  const claims = {
    sub: person.id,
    name: 'Ada Lovelace',
    preferred_username: 'person',
    locale: 'en',
    updated_at: expect.any(Number),
    email: person.email,
    email_verified: true,
  };
  const info = await client.fetchUserInfo(config, tokens.access_token, person.id);
  expect(info).toEqual(claims);
  expect(tokens.claims()).toMatchObject(claims);
  expect(await statusOf(tokens.access_token)).toBe(401);
});

test('tokens are introspected and revoked by their own application only', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope: 'openid account:read' });
  const refreshToken = tokens.refresh_token ?? '';
  const known = await client.tokenIntrospection(config, refreshToken);
  expect(known).toMatchObject({ active: true, client_id: web.id, sub: person.id });
  const other = await relyingParty(origin, await makeApplication(app, owner.accessToken));
  expect(await client.tokenIntrospection(other, refreshToken)).toEqual({ active: false });
  await client.tokenRevocation(other, refreshToken);
  expect(await client.tokenIntrospection(config, refreshToken)).toMatchObject({ active: true });
  await client.tokenRevocation(config, refreshToken);
  expect(await client.tokenIntrospection(config, refreshToken)).toEqual({ active: false });
  expect(await statusOf(tokens.access_token)).toBe(401);
});

test('what a person takes back ends in every service', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope: 'openid account:read' });
  const token = await browser.logIn('person');
  const { body } = await app.call('GET', '/user/grants', { token });
  const [grant] = body['data'] as { id: string }[];
  expect(grant).toMatchObject({
    application: { id: web.id, name: 'Reading list', owner: 'Ada Lovelace' },
    scopes: expect.arrayContaining(['openid', 'account:read']),
  });
  const path = `/user/grants/${grant?.id}`;
  expect((await app.call('DELETE', path, { token: owner.accessToken })).status).toBe(404);
  expect((await app.call('DELETE', path, { token })).status).toBe(204);
  expect((await app.call('GET', '/user/grants', { token })).body['data']).toEqual([]);
  expect(await statusOf(tokens.access_token)).toBe(401);
  const published = await app.call('GET', '/internal/revoked-sessions');
  const { sid } = claimsOf(tokens.access_token);
  expect(JSON.stringify(published.body)).toContain(sessionDigest(sid));
  const again = await beginLogin(config, { scope: 'openid account:read' });
  expect((await browser.open(again.url)).pathname).toMatch(/^\/authorize\//);
});

test('a machine acts for the owner of its application', async () => {
  const made = await makeApplication(app, owner.accessToken, { kind: 'machine', redirectUrls: [] });
  const machine = await relyingParty(origin, made);
  const scope = 'account:read';
  const tokens = await client.clientCredentialsGrant(machine, { scope });
  expect(claimsOf(tokens.access_token)).toMatchObject({ sub: owner.id, scope });
  expect(await statusOf(tokens.access_token)).toBe(200);
  const ask = (wanted: Record<string, string>) => client.clientCredentialsGrant(machine, wanted);
  await expect(ask({})).rejects.toMatchObject({ error: 'invalid_scope' });
  await expect(ask({ scope: 'links:write' })).rejects.toMatchObject({ error: 'invalid_scope' });
  const token = owner.accessToken;
  const { body } = await app.call('GET', `/applications/${made.id}`, { token });
  const [secret] = body['secrets'] as { id: string }[];
  await app.call('DELETE', `/applications/${made.id}/secrets/${secret?.id}`, { token });
  expect(await statusOf(tokens.access_token)).toBe(401);
  await expect(ask({ scope })).rejects.toMatchObject({ status: 401 });
});

test('ends with a reset of the password, as every other way in', async () => {
  const account = await makeVerified(app, 'forgetful');
  const browser = openBrowser(origin);
  const parameters = { scope: 'openid account:read offline_access', prompt: 'consent' };
  const tokens = await logInTo(config, browser, 'forgetful', parameters);
  const body = { kind: 'machine', redirectUrls: [] };
  const made = await makeApplication(app, account.accessToken, body);
  await app.call('POST', '/auth/forgot-password', { body: { email: account.email } });
  const reset = await app.emailToken(account.email, 'reset-password');
  await app.call('POST', `/auth/reset-password/${reset}`, {
    body: { password: `${PASSWORD}, too` },
  });
  expect(await statusOf(tokens.access_token)).toBe(401);
  const refreshing = client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await expect(refreshing).rejects.toMatchObject({ error: 'invalid_grant' });
  const machine = await relyingParty(origin, made);
  const grant = client.clientCredentialsGrant(machine, { scope: 'account:read' });
  await expect(grant).rejects.toMatchObject({ status: 401 });
});

test('a page in a browser logs in without a secret, bound to its key by DPoP', async () => {
  const page = await makeApplication(app, owner.accessToken, {
    kind: 'single-page',
    idTokenAlgorithm: 'EdDSA',
  });
  const issuer = new URL(origin);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, insecure),
  );
  const rp: oauth.Client = { client_id: page.id, id_token_signed_response_alg: 'EdDSA' };
  const DPoP = oauth.DPoP(rp, await oauth.generateKeyPair('ES256'));
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const pushed = await oauth.pushedAuthorizationRequest(
    as,
    rp,
    oauth.None(),
    {
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    },
    { ...insecure, DPoP },
  );
  const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(
    as,
    rp,
    pushed,
  );
  const browser = openBrowser(origin);
  const token = await browser.logIn('person');
  const address = new URL(as.authorization_endpoint ?? '');
  address.search = String(new URLSearchParams({ client_id: page.id, request_uri: requestUri }));
  const asked = await browser.open(address);
  const back = await browser.answer(asked.pathname.split('/').at(-1) ?? '', 'allow', token);
  const parameters = oauth.validateAuthResponse(as, rp, back, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    rp,
    oauth.None(),
    parameters,
    CALLBACK,
    verifier,
    { ...insecure, DPoP },
  );
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const tokens = await oauth.processAuthorizationCodeResponse(as, rp, answer);
  expect(tokens.token_type).toBe('dpop');
  expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(person.id);
  const info = await oauth.userInfoRequest(as, rp, tokens.access_token, { ...insecure, DPoP });
  const claims = await oauth.processUserInfoResponse(as, rp, person.id, info);
  expect(claims['email']).toBe(person.email);
  const bare = await fetch(`${origin}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(bare.status).toBe(401);
});
