import type { AtriumError } from '../http/error.ts';
import type { CurrentUser } from '../types.ts';

/** The logged-in user, or why it is not known. */
export interface SessionState {
  /** Until it is known whether a user is logged in: show neither the login page nor the product. */
  readonly isInitializing: boolean;
  /** Null when logged out, or while that is not known. */
  readonly user: CurrentUser | null;
  /** Why it is not known yet, while the service cannot be reached; it is tried again. */
  readonly error: AtriumError | null;
}

const INITIALIZING: SessionState = { isInitializing: true, user: null, error: null };
const SIGNED_OUT: SessionState = { isInitializing: false, user: null, error: null };

/** @param hintKey where the browser remembers that a user is logged in, and nothing else */
export function createSessionState(hintKey: string | undefined) {
  const listeners = new Set<() => void>();
  let state = INITIALIZING;

  function set(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  return {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    initializing() {
      if (!state.isInitializing) set(INITIALIZING);
    },
    failed: (error: unknown) => set({ ...state, error: error as AtriumError }),
    signedIn(user: CurrentUser) {
      if (hintKey !== undefined) withStorage((storage) => storage.setItem(hintKey, 'signed in'));
      set({ isInitializing: false, user, error: null });
    },
    signedOut() {
      if (hintKey !== undefined) withStorage((storage) => storage.removeItem(hintKey));
      set(SIGNED_OUT);
    },
    isKnownSignedOut: () =>
      hintKey !== undefined &&
      withStorage((storage) => {
        if (storage.getItem(hintKey) !== null) return false;
        // Fails in a full storage, which could not have kept the hint.
        storage.setItem(hintKey, 'signed in');
        storage.removeItem(hintKey);
        return true;
      }) === true,
  };
}

/** Where it is full or blocked, each page asks auth whether there is a session. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
