import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AtriumError, createAtrium, type Atrium } from '../index.ts';
import { startTestPlatform } from './platform.fixture.ts';

const platform = await startTestPlatform();
afterAll(() => platform[Symbol.asyncDispose]());
const { settings, refreshes, url } = platform;

beforeEach(() => {
  vi.useRealTimers();
  Object.assign(settings, { ttlSeconds: 900, clockAheadSeconds: 0, fault: () => undefined });
});

/** A client that is logged in. Outside of browsers it keeps the cookies itself. */
async function openSession(username = 'ada'): Promise<Atrium> {
  const atrium = createAtrium({
    authUrl: `${url}/`,
    notesUrl: url,
    linksUrl: url,
    webhooksUrl: url,
  });
  await atrium.auth.logIn({ email: `${username}@example.com`, password: 'secret' });
  refreshes.length = 0;
  return atrium;
}

const accountOf = async (atrium: Atrium) =>
  ((await atrium.notes.getWorkspace('ws_1')) as unknown as { account: string }).account;

describe('an expired token', () => {
  test('is refreshed once for all calls that wait', async () => {
    const atrium = await openSession();
    platform.expireTokens();
    const calls = Array.from({ length: 10 }, () => accountOf(atrium));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['usr_ada']));
    expect(refreshes).toHaveLength(1);
  });

  test.each([3600, -3600])('is noticed when our clock is %i s wrong', async (seconds) => {
    settings.clockAheadSeconds = seconds;
    const atrium = await openSession();
    expect(await accountOf(atrium)).toBe('usr_ada');
    expect(refreshes).toEqual([]);
    platform.expireTokens();
    expect(await accountOf(atrium)).toBe('usr_ada');
    expect(refreshes).toHaveLength(1);
  });

  test.each([3_600_000, -3_600_000])('is noticed when our clock is set by %i ms', async (ms) => {
    const atrium = await openSession();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    expect(await accountOf(atrium)).toBe('usr_ada');
    expect(await accountOf(atrium)).toBe('usr_ada');
    expect(refreshes.length).toBeLessThanOrEqual(1);
  });
});

describe('the session goes on', () => {
  test.each([
    ['503', { kind: 'status', status: 503, headers: { 'retry-after': '60' } }],
    ['500', { kind: 'status', status: 500 }],
    ['403', { kind: 'status', status: 403 }],
    ['a cut answer', { kind: 'cut' }],
  ] as const)('when a refresh ends in %s', async (_, fault) => {
    const atrium = await openSession();
    platform.expireTokens();
    settings.fault = (path) => (path === '/auth/refresh' ? fault : undefined);
    await expect(atrium.notes.getWorkspace('ws_1')).rejects.toBeInstanceOf(AtriumError);
    expect(atrium.session.getState().user?.username).toBe('ada');
    settings.fault = () => undefined;
    expect(await accountOf(atrium)).toBe('usr_ada');
  });

  test('when a refresh gets no answer', async () => {
    const atrium = await openSession();
    platform.expireTokens();
    settings.fault = (path) => (path === '/auth/refresh' ? { kind: 'hang' } : undefined);
    const call = atrium.notes.getWorkspace('ws_1', { deadlineMs: 500 });
    await expect(call).rejects.toMatchObject({ error: 'Timeout' });
    expect(atrium.session.getState().user?.username).toBe('ada');
  });

  test('when a call is refused for another reason than its token', async () => {
    const atrium = await openSession();
    settings.fault = (path) =>
      path === '/user/change-password' ? { kind: 'status', status: 401 } : undefined;
    const body = { currentPassword: 'wrong', newPassword: 'a wholly different passphrase' };
    await expect(atrium.auth.changePassword(body)).rejects.toMatchObject({ status: 401 });
    expect(atrium.session.getState().user?.username).toBe('ada');
    expect(refreshes).toEqual([]);
  });

  test('when it cannot be refreshed after the email address was verified, which has succeeded', async () => {
    const atrium = await openSession();
    settings.fault = (path) =>
      path === '/auth/refresh' ? { kind: 'status', status: 500 } : undefined;
    await expect(atrium.auth.verifyEmail('token', {})).resolves.toBeDefined();
    expect(refreshes).toHaveLength(1);
    expect(atrium.session.getState().user?.username).toBe('ada');
  });

  test('when a logout fails', async () => {
    const atrium = await openSession();
    settings.fault = () => ({ kind: 'status', status: 500 });
    await expect(atrium.auth.logOut()).rejects.toMatchObject({ status: 500 });
    settings.fault = () => undefined;
    expect(await accountOf(atrium)).toBe('usr_ada');
  });
});

describe('the session ends', () => {
  test('when a refresh is answered with 401', async () => {
    const atrium = await openSession();
    platform.revoke('ada');
    await expect(accountOf(atrium)).rejects.toMatchObject({ status: 401 });
    expect(atrium.session.getState()).toEqual({ isInitializing: false, user: null, error: null });
    await expect(accountOf(atrium)).rejects.toThrow('Authentication required');
  });

  test('when this session is revoked, not when another is', async () => {
    const atrium = await openSession();
    await atrium.auth.revokeSession('ses_other');
    expect(atrium.session.getState().user?.username).toBe('ada');
    await atrium.auth.revokeSession(platform.sessionIds('ada')[0] ?? '');
    expect(atrium.session.getState().user).toBeNull();
  });

  test('and a new login begins another', async () => {
    const atrium = await openSession();
    await atrium.auth.logOut();
    await atrium.auth.logIn({ email: 'grace@example.com', password: 'secret' });
    expect(atrium.session.getState().user?.username).toBe('grace');
    expect(await accountOf(atrium)).toBe('usr_grace');
  });
});

test('an access token that is given is sent, and never refreshed', async () => {
  const session = await openSession();
  expect(await accountOf(session)).toBe('usr_ada');
  const accessToken = () => Promise.resolve('expired');
  const atrium = createAtrium({
    authUrl: url,
    notesUrl: url,
    linksUrl: url,
    webhooksUrl: url,
    accessToken,
  });
  await expect(accountOf(atrium)).rejects.toMatchObject({ status: 401 });
  expect(refreshes).toEqual([]);
});
