import type { CurrentUser } from '../types.ts';
import type { Token } from './token.ts';

/** What the tabs of a browser tell one another. Access tokens stay in memory: nothing is stored. */
export type TabMessage =
  | { kind: 'login'; token: Token; user: CurrentUser | null }
  | { kind: 'token'; token: Token; user: CurrentUser | null }
  | { kind: 'user'; user: CurrentUser }
  | { kind: 'logout'; sessionId: string | undefined }
  /** Asks who has a token to send it. */
  | { kind: 'ask' };

export interface Tabs {
  tell: (message: TabMessage) => void;
  /**
   * Runs the task while no other tab runs one: the browser frees the lock when its tab dies, and who
   * has waited too long for a tab that hangs goes on without it.
   */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Says that this tab has this token, for as long as the tab lives. */
  hold: (token: Token | null) => Promise<void>;
  /** Whether a living tab holds another token, which is not older than this one. */
  othersHoldAnother: (token: Token | null) => Promise<boolean>;
  close: () => void;
}

/** Longer than a refresh may take. */
const LOCK_WAIT_MS = 12_000;

/** @param name the same for all tabs that share a session */
export function openTabs(name: string, receive: (message: TabMessage) => void): Tabs {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: { data: TabMessage }) => receive(data);
  // Missing in old browsers: each tab then refreshes for itself, which the service allows for.
  const locks = navigator.locks as typeof navigator.locks | undefined;
  const heldPrefix = `${name} token `;
  let release = () => {};
  const withoutLock = oneAfterAnother();

  return {
    tell: (message) => channel.postMessage(message),

    async exclusively(task) {
      if (locks === undefined) return withoutLock(task);
      let isRunning = false;
      const run = () => {
        isRunning = true;
        return task();
      };
      try {
        const signal = AbortSignal.timeout(LOCK_WAIT_MS);
        return await locks.request(`${name} refresh`, { signal }, run);
      } catch (error) {
        if (isRunning) throw error;
        return withoutLock(task);
      }
    },

    async hold(token) {
      release();
      release = () => {};
      if (token === null || locks === undefined) return;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await new Promise<void>((granted) => {
        void locks.request(
          `${heldPrefix}${token.issuedAt} ${endOf(token)}`,
          { mode: 'shared' },
          () => {
            granted();
            return released;
          },
        );
      });
    },

    async othersHoldAnother(token) {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
      return held.some(({ name: lock = '' }) => {
        const [issuedAt, end] = lock.startsWith(heldPrefix)
          ? lock.slice(heldPrefix.length).split(' ')
          : [];
        if (token === null) return end !== undefined;
        return Number(issuedAt) >= token.issuedAt && end !== endOf(token);
      });
    },

    close() {
      release();
      channel.close();
    },
  };
}

/** Tells two tokens of one second apart. */
function endOf({ value }: Token): string {
  return value.slice(-8);
}

/** For Node, and for servers that render pages: there are no other tabs. */
export function noTabs(): Tabs {
  return {
    tell: () => {},
    exclusively: oneAfterAnother(),
    hold: () => Promise.resolve(),
    othersHoldAnother: () => Promise.resolve(false),
    close: () => {},
  };
}

/** Each task has an end of its own: a refresh has a deadline, and so has a login. */
function oneAfterAnother(): Tabs['exclusively'] {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
}
