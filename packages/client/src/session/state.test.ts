import { afterEach, expect, test, vi } from 'vitest';
import type { CurrentUser } from '../types.ts';
import { createSessionState } from './state.ts';

afterEach(() => vi.unstubAllGlobals());

const refuse = () => {
  throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
};

test.each([
  ['blocked', { getItem: refuse, setItem: refuse, removeItem: refuse }],
  ['full', { getItem: () => null, setItem: refuse, removeItem: () => undefined }],
])('a login works in a browser whose storage is %s', (_state, storage) => {
  vi.stubGlobal('localStorage', storage);
  const state = createSessionState('hint');
  expect(state.isKnownSignedOut()).toBe(false);
  const user = { id: 'usr_1' } as CurrentUser;
  state.signedIn(user);
  expect(state.get()).toEqual({ isInitializing: false, user, error: null });
  state.signedOut();
  expect(state.get().user).toBeNull();
});
