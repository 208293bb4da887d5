import { afterAll, expect, test, vi } from 'vitest';
import { makeAccount, startTestApp, valueOf } from '../test-app.ts';

// The grace period passes with time, which stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

async function refresh(refreshToken: string, device: string, afterMs = 0) {
  app.clock.advanceMs = afterMs;
  const { status, cookies } = await app.call('POST', '/auth/refresh', {
    cookies: { refreshToken, device },
  });
  app.clock.advanceMs = 0;
  return { status, token: valueOf(cookies['refreshToken']) };
}

test('security 15: reuse within 20 s returns the newest token after several rotations', async () => {
  const { refreshToken, device } = await makeAccount(app, 'lateanswer');
  const second = await refresh(refreshToken, device);
  const third = await refresh(second.token, device, 15_000);
  const late = await refresh(refreshToken, device, 19_000);
  expect(late).toEqual({ status: 200, token: third.token });
  expect((await refresh(late.token, device, 60_000)).status).toBe(200);
});

test('security 15: reuse within 20 s from another device returns 401 and ends nothing', async () => {
  const { refreshToken, device } = await makeAccount(app, 'copied');
  const successor = await refresh(refreshToken, device);
  const other = await makeAccount(app, 'copier');
  for (const foreign of ['', 'forged.cookie', other.device]) {
    expect(await refresh(refreshToken, foreign)).toEqual({ status: 401, token: '' });
  }
  expect((await refresh(successor.token, device)).status).toBe(200);
});
