import { AUTH_ROUTES, type AuthApi } from './api/auth.ts';
import { LINKS_ROUTES, type LinksApi } from './api/links.ts';
import { NOTES_ROUTES, type NotesApi } from './api/notes.ts';
import { WEBHOOKS_ROUTES, type WebhooksApi } from './api/webhooks.ts';
import { createCookieJar } from './http/cookies.ts';
import { startDeadline, type Deadline } from './http/deadline.ts';
import { createList } from './http/list.ts';
import { createApi, toCall, type Call, type Route, type Routes } from './http/routes.ts';
import { send, type CallOptions, type HttpRequest, type HttpResponse } from './http/send.ts';
import { createSession, type AtriumSession } from './session/session.ts';
import type { CurrentUser } from './types.ts';

export interface AtriumOptions {
  authUrl: string;
  notesUrl: string;
  linksUrl: string;
  webhooksUrl: string;
  /**
   * For a server that acts for a user: the access token of each request. Without it the client has
   * the session of the refresh cookie.
   */
  accessToken?: (() => string | Promise<string>) | undefined;
  /**
   * Remembers in local storage that a user is logged in here (that alone, never a token), so that a
   * page for visitors does not ask for a session that they do not have. A login on another product of
   * the account is then not noticed.
   */
  sessionHint?: boolean | undefined;
  fetch?: typeof fetch | undefined;
}

/** The four services and the session of this browser. */
export interface Atrium {
  auth: AuthApi;
  notes: NotesApi;
  links: LinksApi;
  webhooks: WebhooksApi;
  session: AtriumSession;
  /** More calls of a service, for the other entries of this package. */
  callsOf: <Api>(service: 'auth' | 'notes' | 'links' | 'webhooks', routes: Routes<Api>) => Api;
}

/**
 * @example
 * const atrium = createAtrium({
 *   authUrl: 'https://auth.example.com',
 *   notesUrl: 'https://notes.example.com',
 *   linksUrl: 'https://links.example.com',
 *   webhooksUrl: 'https://hooks.example.com',
 * });
 * const { data } = await atrium.notes.listWorkspaces();
 */
export function createAtrium(options: AtriumOptions): Atrium {
  const { accessToken } = options;
  const transport = {
    // Called as a method of something else, the browser's own refuses.
    fetch: options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args)),
    cookies: createCookieJar(),
  };
  const authUrl = withoutSlash(options.authUrl);
  const session = createSession({ transport, authUrl, useHint: options.sessionHint ?? false });

  async function sendAs(words: Set<string>, request: HttpRequest, deadline: Deadline) {
    if (words.has('login')) return session.login(request, deadline);
    if (words.has('public')) return send(transport, request, deadline);
    if (accessToken === undefined) {
      return words.has('optional') && !(await session.isSignedIn(deadline))
        ? send(transport, request, deadline)
        : session.authorized(request, deadline);
    }
    const headers = { ...request.headers, authorization: `Bearer ${await accessToken()}` };
    return send(transport, { ...request, headers }, deadline);
  }

  async function run(baseUrl: string, call: Call, cursor?: string): Promise<unknown> {
    const { method, path, words, input, options: given } = call;
    const query = words.has('body') ? {} : { ...(input as object), cursor };
    const request: HttpRequest = {
      method,
      url: `${baseUrl}${path}${queryString(query)}`,
      headers: {
        ...given.headers,
        'if-match': given.ifMatch,
        'idempotency-key': words.has('create')
          ? (given.idempotencyKey ?? crypto.randomUUID())
          : undefined,
      },
      body: words.has('body') ? (input ?? {}) : undefined,
      isIdempotent:
        !['POST', 'PATCH'].includes(method) ||
        words.has('create') ||
        words.has('twice') ||
        (words.has('ids') && [input].flat().every((each) => (each as { id?: string }).id)),
      withCookies: path.startsWith('/auth/') || path.startsWith('/user/sessions'),
      isStream: words.has('stream'),
      fetch: given.fetch,
    };
    const response = await sendAs(words, request, startDeadline(given, input instanceof Blob));
    if (words.has('user')) session.setUser(response.body as CurrentUser);
    return resultOf(words, response);
  }

  function api<Api>(url: string, routes: Routes<Api>): Api {
    const baseUrl = withoutSlash(url);
    return createApi(routes, (route, args) =>
      route.includes(' list')
        ? createList((cursor) => runRoute(baseUrl, route, args, cursor))
        : runRoute(baseUrl, route, args),
    );
  }

  async function runRoute(
    baseUrl: string,
    route: Route,
    args: readonly unknown[],
    cursor?: string,
  ): Promise<unknown> {
    const call = toCall(route, args);
    const first = (call.input as { cursor?: string } | undefined)?.cursor;
    return run(baseUrl, call, cursor ?? first);
  }

  /** The user has changed, and the access token says whether the email address is verified. */
  async function thenRefresh<Result>(
    call: Promise<Result>,
    given: CallOptions | undefined,
  ): Promise<Result> {
    const result = await call;
    // The call has succeeded, and the next refresh says the same.
    if (session.getState().user !== null) await session.refresh(given).catch(() => {});
    return result;
  }

  const auth = api<AuthApi>(authUrl, AUTH_ROUTES);
  return {
    auth: {
      ...auth,
      async logOut(given = {}) {
        await session.logOut(startDeadline(given));
      },
      async refreshSession(given) {
        await session.refresh(given);
      },
      async revokeSession(id, given) {
        await auth.revokeSession(id, given);
        session.end(id);
      },
      verifyEmail: (token, body, given) => thenRefresh(auth.verifyEmail(token, body, given), given),
      confirmEmailChange: (token, body, given) =>
        thenRefresh(auth.confirmEmailChange(token, body, given), given),
    },
    notes: api<NotesApi>(options.notesUrl, NOTES_ROUTES),
    links: api<LinksApi>(options.linksUrl, LINKS_ROUTES),
    webhooks: api<WebhooksApi>(options.webhooksUrl, WEBHOOKS_ROUTES),
    session,
    callsOf: (service, routes) => api(options[`${service}Url`], routes),
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) {
      if (each !== undefined) parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function resultOf(words: Set<string>, { body, headers }: HttpResponse): unknown {
  if (!words.has('etag')) return body;
  return { ...(body as object), etag: headers.get('etag') };
}
