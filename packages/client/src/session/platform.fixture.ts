import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@atrium/testkit/http-listener';

/** What happens to a request instead of an answer, or before it. */
export type Fault =
  | { kind: 'delay'; ms: number }
  /** Done, but the answer is cut off. */
  | { kind: 'cut' }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** No answer, as long as the requester waits. */
  | { kind: 'hang' };

export interface Refresh {
  arrivedAtMs: number;
  answeredAtMs: number;
  outcome: 'delivered' | 'cut' | 'refused' | 'failed';
}

/**
 * Auth and a product in one small server, with tokens and refresh cookies as INTERFACE 5.1 has them and
 * with faults at will. It also serves pages.
 */
export interface TestPlatform extends AsyncDisposable {
  url: string;
  /** Every request to /auth/refresh. */
  refreshes: Refresh[];
  /** Every other request: method, path, account of its token. */
  calls: string[];
  settings: {
    ttlSeconds: number;
    /** How far the clock of the service is from ours. */
    clockAheadSeconds: number;
    fault: (path: string) => Fault | undefined;
  };
  files: Map<string, { type: string; body: string }>;
  /** Ends every session of the account, as a revocation elsewhere does. */
  revoke: (username: string) => void;
  /** Every access token that was issued until now. */
  expireTokens: () => void;
  sessionIds: (username: string) => string[];
}

interface Session {
  id: string;
  username: string;
  cookies: { value: string; replacedAtMs: number | null }[];
}

const GRACE_MS = 20_000;

export async function startTestPlatform(): Promise<TestPlatform> {
  const sessions = new Map<string, Session>();
  const tokens = new Map<string, { session: Session; issuedAtMs: number }>();
  const platform: Omit<TestPlatform, 'url' | typeof Symbol.asyncDispose> = {
    refreshes: [],
    calls: [],
    settings: { ttlSeconds: 900, clockAheadSeconds: 0, fault: () => undefined },
    files: new Map(),
    expireTokens() {
      for (const token of tokens.values()) token.issuedAtMs = 0;
    },
    sessionIds: (username) =>
      [...sessions.values()].flatMap((each) => (each.username === username ? [each.id] : [])),
    revoke(username) {
      for (const [id, session] of sessions) {
        if (session.username === username) sessions.delete(id);
      }
    },
  };
  const { settings, refreshes } = platform;

  function issue(session: Session): string {
    const { ttlSeconds, clockAheadSeconds } = settings;
    const iat = Math.floor(Date.now() / 1000) + clockAheadSeconds;
    const claims = {
      sub: `usr_${session.username}`,
      sid: session.id,
      ev: true,
      iat,
      exp: iat + ttlSeconds,
    };
    const parts = [{ alg: 'none' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const token = [...parts, randomBytes(6).toString('base64url')].join('.');
    tokens.set(token, { session, issuedAtMs: Date.now() });
    return token;
  }

  function userOf({ username }: Session) {
    const name = { id: `usr_${username}`, name: username, username };
    const createdAt = '2026-01-31T09:30:00.000Z';
    return { ...name, email: `${username}@example.com`, avatar: null, createdAt };
  }

  function bearer(request: IncomingMessage): Session | string {
    const found = tokens.get(request.headers.authorization?.slice('Bearer '.length) ?? '');
    if (found === undefined) return 'Authentication required';
    if (!sessions.has(found.session.id)) return 'Invalid token';
    const isExpired = Date.now() - found.issuedAtMs >= settings.ttlSeconds * 1000;
    return isExpired ? 'Token expired' : found.session;
  }

  function sessionOfCookie(request: IncomingMessage): Session | undefined {
    const value = /refreshToken=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    return [...sessions.values()].find(({ cookies }) => cookies.some((c) => c.value === value));
  }

  /** Rotates; a replay after the grace period ends the session. */
  function rotate(request: IncomingMessage, session: Session): string | undefined {
    const value = /refreshToken=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    const used = session.cookies.find((cookie) => cookie.value === value);
    const newest = session.cookies.at(-1);
    if (used === newest) return addCookie(session);
    if (Date.now() - (used?.replacedAtMs ?? 0) < GRACE_MS) return newest?.value;
    sessions.delete(session.id);
    return undefined;
  }

  function addCookie(session: Session): string {
    const newest = session.cookies.at(-1);
    if (newest !== undefined) newest.replacedAtMs = Date.now();
    const value = randomBytes(12).toString('hex');
    session.cookies.push({ value, replacedAtMs: null });
    return value;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    const file = platform.files.get(path);
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type }).end(file.body);
      return;
    }
    const refresh: Refresh = {
      arrivedAtMs: Date.now(),
      answeredAtMs: Infinity,
      outcome: 'failed',
    };
    if (path === '/auth/refresh') refreshes.push(refresh);
    else platform.calls.push(`${request.method} ${path}`);
    const fault = settings.fault(path);
    if (fault?.kind === 'delay') await sleep(fault.ms);
    if (fault?.kind === 'hang') return;
    const reply = (status: number, body: object | null, headers: Record<string, string> = {}) => {
      refresh.answeredAtMs = Date.now();
      if (fault?.kind === 'cut') {
        refresh.outcome = 'cut';
        response.destroy();
        return;
      }
      refresh.outcome = status === 200 ? 'delivered' : status === 401 ? 'refused' : 'failed';
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === null ? undefined : JSON.stringify(body));
    };
    const cookie = (value: string) => ({
      'set-cookie': `refreshToken=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${value === '' ? 0 : 604_800}`,
    });
    if (fault?.kind === 'status') {
      const body = { error: 'Service Unavailable', message: 'Please try again' };
      reply(fault.status, body, fault.headers);
      return;
    }
    const refuse = (message: string) => reply(401, { error: 'Unauthorized', message });
    if (path === '/auth/login') {
      const { email } = (await json(request)) as { email: string };
      const username = email.split('@')[0] ?? '';
      const former = sessionOfCookie(request);
      if (former !== undefined) sessions.delete(former.id);
      const id = `ses_${randomBytes(6).toString('hex')}`;
      const session: Session = { id, username, cookies: [] };
      sessions.set(id, session);
      reply(
        200,
        { accessToken: issue(session), user: userOf(session) },
        cookie(addCookie(session)),
      );
    } else if (path === '/auth/refresh') {
      const session = sessionOfCookie(request);
      const value = session === undefined ? undefined : rotate(request, session);
      if (session === undefined || value === undefined) refuse('Session has ended');
      else reply(200, { accessToken: issue(session) }, cookie(value));
    } else if (path === '/auth/logout') {
      const session = sessionOfCookie(request);
      if (session !== undefined) sessions.delete(session.id);
      reply(204, null, cookie(''));
    } else {
      const session = bearer(request);
      if (typeof session === 'string') {
        refuse(session);
      } else if (path.startsWith('/user/sessions/')) {
        sessions.delete(path.split('/').at(-1) ?? '');
        reply(204, null);
      } else {
        const user = { ...userOf(session), bio: '', profileLinks: [], emailVerified: true };
        reply(200, path === '/user/me' ? user : { account: user.id, data: [], nextCursor: null });
      }
    }
  }

  const server = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    ...platform,
    url: server.url,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
