import { startDeadline, type Deadline, type DeadlineOptions } from '../http/deadline.ts';
import { isTransient, isUnauthorized, unauthorized } from '../http/error.ts';
import { backoffMs } from '../http/retry.ts';
import { send, type HttpRequest, type HttpResponse, type Transport } from '../http/send.ts';
import type { CurrentUser, LoginResponse } from '../types.ts';
import { createSessionState, type SessionState } from './state.ts';
import { readToken, type Token } from './token.ts';
import { authRequest, createTokens } from './tokens.ts';

/** The session of this browser, which all of its tabs share. */
export interface AtriumSession {
  getState: () => SessionState;
  /** @returns ends the subscription */
  subscribe: (listener: () => void) => () => void;
  /**
   * Restores the session of the refresh cookie and joins the other tabs. The first call that needs a
   * session does it too.
   */
  start: () => void;
  /** Leaves the other tabs; nothing is revoked. */
  close: () => void;
  /** Whether the access token carries the role; the services decide by themselves. */
  isOperator: () => boolean;
  /** Gets a new access token and the user: after the email address was verified elsewhere, say. */
  refresh: (options?: DeadlineOptions) => Promise<void>;
}

/** What the calls need of the session. */
interface SessionCalls {
  /** Sends with an access token: refreshes it before it expires, and once more when the service says so. */
  authorized(request: HttpRequest, deadline: Deadline): Promise<HttpResponse>;
  /** For a call that visitors may make too. In a browser it waits until that is known or cannot be asked. */
  isSignedIn(deadline: Deadline): Promise<boolean>;
  /** Sends a request whose response may begin a session. */
  login(request: HttpRequest, deadline: Deadline): Promise<HttpResponse>;
  logOut(deadline: Deadline): Promise<void>;
  /** The session was revoked; does nothing when it is not the one of this browser. */
  end(sessionId: string): void;
  setUser(user: CurrentUser): void;
}

/** Messages of a 401 about the access token, not about what else the request proves itself with. */
const TOKEN_FAULTS = ['Token expired', 'Invalid token'];

/** One expires while a call is repeated, too. */
const TOKENS_PER_CALL = 3;

export function createSession(options: {
  transport: Transport;
  authUrl: string;
  useHint: boolean;
}): AtriumSession & SessionCalls {
  const { transport, authUrl } = options;
  const state = createSessionState(options.useHint ? `atrium ${authUrl}` : undefined);
  let isStarted = false;
  let loading: Promise<void> | null = null;

  const tokens = createTokens({
    transport,
    authUrl,
    user: () => state.get().user,
    onUser: showUser,
    onEnd: () => state.signedOut(),
    onToken({ accountId }, user) {
      if (user?.id === accountId) {
        state.signedIn(user);
      } else if (state.get().user?.id !== accountId) {
        state.initializing();
        void load();
      }
    },
  });

  function showUser(user: CurrentUser): void {
    if (user.id === tokens.current()?.accountId) state.signedIn(user);
  }

  function setUser(user: CurrentUser): void {
    showUser(user);
    tokens.tellUser(user);
  }

  async function authorized(request: HttpRequest, deadline: Deadline): Promise<HttpResponse> {
    start();
    const accountId = state.get().user?.id;
    const sendWith = (token: Token) => {
      // What was meant for one account is not done to another.
      if (token.accountId !== (accountId ?? token.accountId)) {
        throw unauthorized('Another account has logged in');
      }
      const headers = { ...request.headers, authorization: `Bearer ${token.value}` };
      return send(transport, { ...request, headers }, deadline);
    };
    let token = await deadline.race(tokens.fresh());
    if (token === null) throw unauthorized('Authentication required');
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendWith(token);
      } catch (error) {
        const isTokenFault = isUnauthorized(error) && TOKEN_FAULTS.includes(error.message);
        if (!isTokenFault || attempt === TOKENS_PER_CALL) throw error;
        token = await deadline.race(tokens.renew(token));
        if (token === null) throw error;
      }
    }
  }

  async function fetchUser(deadline: Deadline): Promise<void> {
    const request = { method: 'GET', url: `${authUrl}/user/me`, isIdempotent: true };
    const { body } = await authorized(request, deadline);
    setUser(body as CurrentUser);
  }

  /** A service that cannot be reached does not end a session: it is asked until it answers. */
  async function loadUntilKnown(): Promise<void> {
    for (let attempt = 1; isStarted; attempt += 1) {
      try {
        if ((await tokens.fresh()) !== null) await fetchUser(startDeadline({}));
        return;
      } catch (error) {
        if (!state.get().isInitializing) return;
        state.failed(error);
        if (!isTransient(error)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt)));
    }
  }

  function load(): Promise<void> {
    loading ??= loadUntilKnown().finally(() => {
      loading = null;
    });
    return loading;
  }

  function join(): void {
    if (!isStarted) tokens.open();
    isStarted = true;
  }

  function start(): void {
    if (isStarted) return;
    join();
    if (state.isKnownSignedOut()) tokens.skip();
    // Elsewhere it would keep a program running that has nothing left to do.
    else if ('document' in globalThis && state.get().isInitializing) void load();
  }

  function begin({ accessToken, user }: LoginResponse): void {
    const token = readToken(accessToken, Date.now());
    const known = { bio: '', profileLinks: [], emailVerified: token.emailVerified, ...user };
    tokens.begin(token, known);
  }

  return {
    getState: state.get,
    isOperator: () => tokens.current()?.isOperator === true,
    subscribe: state.subscribe,
    start,
    close() {
      isStarted = false;
      tokens.close();
    },
    async refresh(given = {}) {
      const deadline = startDeadline(given);
      start();
      const token = await deadline.race(tokens.renew(tokens.current()));
      if (token !== null) await fetchUser(deadline);
    },
    authorized,
    async isSignedIn(deadline) {
      if ('document' in globalThis && state.get().isInitializing) {
        start();
        await deadline.race(tokens.fresh()).catch(() => {});
      }
      return tokens.current() !== null;
    },
    async login(request, deadline) {
      // Without asking for the session that the login replaces.
      join();
      // Not beside a refresh, whose late answer would bring back the cookie of the former session.
      const task = async () => {
        const response = await send(transport, request, deadline);
        const body = response.body as Partial<LoginResponse>;
        if (body.accessToken !== undefined) begin(body as LoginResponse);
        return response;
      };
      try {
        return await deadline.race(tokens.exclusively(task));
      } finally {
        void load();
      }
    },
    async logOut(deadline) {
      const token = tokens.current();
      const headers: Record<string, string> =
        token === null ? {} : { authorization: `Bearer ${token.value}` };
      await send(transport, authRequest(`${authUrl}/auth/logout`, headers), deadline);
      tokens.end();
    },
    end(sessionId) {
      if (tokens.current()?.sessionId === sessionId) tokens.end();
    },
    setUser,
  };
}
