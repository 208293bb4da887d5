import { startDeadline } from '../http/deadline.ts';
import { isUnauthorized } from '../http/error.ts';
import { send, type HttpRequest, type Transport } from '../http/send.ts';
import type { CurrentUser, RefreshResponse } from '../types.ts';
import { noTabs, openTabs, type TabMessage, type Tabs } from './tabs.ts';
import { isFresh, readToken, type Token } from './token.ts';

/** The access token of the session that all tabs of a browser share. */
export interface Tokens {
  current: () => Token | null;
  /** One that can be used now; null when logged out. */
  fresh: () => Promise<Token | null>;
  /** A newer one than this: by another tab or by the refresh cookie, asked for once at a time. */
  renew: (stale: Token | null) => Promise<Token | null>;
  /** A login gave this one. */
  begin: (token: Token, user: CurrentUser) => void;
  /** The session has ended: here, and in all tabs. */
  end: () => void;
  /** Treats the user as logged out without asking auth. */
  skip: () => void;
  tellUser: (user: CurrentUser) => void;
  exclusively: Tabs['exclusively'];
  open: () => void;
  close: () => void;
}

export interface TokensOptions {
  transport: Transport;
  authUrl: string;
  /** A token has come, in this tab or in another, with its user where that is known. */
  onToken: (token: Token, user: CurrentUser | null) => void;
  onEnd: () => void;
  /** Another tab has read the user. */
  onUser: (user: CurrentUser) => void;
  user: () => CurrentUser | null;
}

const REFRESH_DEADLINE_MS = 10_000;
/** For another tab to answer, which it does at once unless the browser has frozen it. */
const ASK_WAIT_MS = 1_000;

/** A refresh that may run twice: for 20 s the service gives the same successor again. */
export function authRequest(url: string, headers: Record<string, string> = {}): HttpRequest {
  return { method: 'POST', url, headers, isIdempotent: true, withCookies: true };
}

export function createTokens(options: TokensOptions): Tokens {
  const { transport, authUrl, onToken } = options;
  let token: Token | null = null;
  let isSignedOut = false;
  /** Changes with every login and logout: what was asked before means nothing after. */
  let epoch = 0;
  /** A late message or answer does not bring these back. */
  const endedSessions = new Set<string>();
  let refreshing: Promise<Token | null> | null = null;
  let tabs = noTabs();
  let wakeOnToken = () => {};

  function adopt(next: Token, user: CurrentUser | null): Promise<void> {
    token = next;
    isSignedOut = false;
    wakeOnToken();
    onToken(next, user);
    return tabs.hold(next);
  }

  function leaveSession(): void {
    epoch += 1;
    if (token !== null) endedSessions.add(token.sessionId);
    token = null;
  }

  function signOut(): void {
    leaveSession();
    isSignedOut = true;
    wakeOnToken();
    void tabs.hold(null);
    options.onEnd();
  }

  function end(): void {
    const sessionId = token?.sessionId;
    signOut();
    if (sessionId !== undefined) tabs.tell({ kind: 'logout', sessionId });
  }

  function receive(message: TabMessage): void {
    switch (message.kind) {
      case 'ask':
        if (token !== null) tabs.tell({ kind: 'token', token, user: options.user() });
        break;
      case 'user':
        options.onUser(message.user);
        break;
      case 'logout':
        if (token === null || token.sessionId === message.sessionId) signOut();
        break;
      case 'login':
        leaveSession();
        void adopt(message.token, message.user);
        break;
      case 'token':
        if (endedSessions.has(message.token.sessionId)) break;
        if (token !== null && token.issuedAt > message.token.issuedAt) break;
        // The answer of a tab that has not heard of the refresh yet; one that has answers too.
        if (token?.value === message.token.value) break;
        void adopt(message.token, message.user);
    }
  }

  /** Waits for the token that another tab holds. */
  async function askOtherTabs(stale: Token | null): Promise<void> {
    if (!(await tabs.othersHoldAnother(stale)) || token !== stale) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ASK_WAIT_MS);
      wakeOnToken = () => {
        clearTimeout(timer);
        resolve();
      };
      tabs.tell({ kind: 'ask' });
    });
  }

  async function refresh(stale: Token | null): Promise<Token | null> {
    if (token === stale) await askOtherTabs(stale);
    if (isSignedOut || (token !== stale && isFresh(token))) return token;
    const startedIn = epoch;
    try {
      const deadline = startDeadline({ deadlineMs: REFRESH_DEADLINE_MS });
      const { body } = await send(transport, authRequest(`${authUrl}/auth/refresh`), deadline);
      if (epoch !== startedIn) return token;
      const next = readToken((body as RefreshResponse).accessToken, Date.now());
      // Before the lock is free, so that the next tab finds it.
      await adopt(next, null);
      tabs.tell({ kind: 'token', token: next, user: options.user() });
      return next;
    } catch (error) {
      if (epoch !== startedIn) return token;
      if (!isUnauthorized(error)) throw error;
      end();
      return null;
    }
  }

  function renew(stale: Token | null): Promise<Token | null> {
    refreshing ??= tabs
      .exclusively(() => refresh(stale))
      .finally(() => {
        refreshing = null;
      });
    return refreshing;
  }

  async function fresh(): Promise<Token | null> {
    return isSignedOut || isFresh(token) ? token : renew(token);
  }

  return {
    current: () => token,
    fresh,
    renew: (stale) => (token === stale ? renew(stale) : fresh()),
    begin(next, user) {
      leaveSession();
      void adopt(next, user);
      tabs.tell({ kind: 'login', token: next, user });
    },
    end,
    skip: signOut,
    tellUser: (user) => tabs.tell({ kind: 'user', user }),
    exclusively: (task) => tabs.exclusively(task),
    open() {
      if ('document' in globalThis) tabs = openTabs(`atrium ${authUrl}`, receive);
    },
    close() {
      tabs.close();
      tabs = noTabs();
    },
  };
}
