import { startReceiver, type ReceiverAnswer } from '@atrium/testkit/receiver';
import { listen } from '@atrium/testkit/http-listener';
import { describe, expect, test } from 'vitest';
import { AtriumError, createAtrium } from '../index.ts';

const unavailable: ReceiverAnswer = {
  status: 503,
  headers: { 'error-code': 'unavailable', 'retry-after': '0' },
  body: '{"error":"Service Unavailable","message":"Please try again"}',
};

const missing: ReceiverAnswer = { status: 404, headers: { 'error-code': 'not-found' } };

/** A service that answers the n-th request so, and a client with an access token for it. */
async function startService(respond: (n: number) => ReceiverAnswer) {
  const receiver = await startReceiver({ respond });
  return {
    receiver,
    atrium: clientOf(receiver.url),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

function clientOf(url: string) {
  const urls = { authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url };
  return createAtrium({ ...urls, accessToken: () => 'token' });
}

/** A service that cuts every connection after it has read the request. */
async function startCuttingService() {
  const requests: string[] = [];
  const server = await listen((request) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => request.socket.destroy());
  });
  return {
    requests,
    atrium: clientOf(server.url),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const rejection = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  );

describe('requests', () => {
  test('carry the token, the parameters of the path, the query and the body', async () => {
    await using service = await startService(() => ({ status: 200, body: '{"id":"ws_1"}' }));
    await service.atrium.notes.updateWorkspace('ws/1?', { name: 'Work' });
    await service.atrium.notes.listNotes('ws_1', { limit: 5, cursor: undefined });
    const [patch, list] = service.receiver.requests;
    expect(patch).toMatchObject({ method: 'PATCH', path: '/api/workspaces/ws%2F1%3F' });
    expect(patch?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-type': 'application/json',
    });
    expect(patch?.rawBody.toString()).toBe('{"name":"Work"}');
    expect(list?.path).toBe('/api/workspaces/ws_1/notes?limit=5');
  });

  test.each(['', '.', '..'])('are refused when a parameter of the path is "%s"', async (id) => {
    await using service = await startService(() => ({ status: 204 }));
    await expect(service.atrium.notes.deleteNote(id)).rejects.toThrow(TypeError);
    expect(service.receiver.requests).toEqual([]);
  });
});

describe('errors', () => {
  test('carry status, name, code, message, request id and the time to wait', async () => {
    await using service = await startService(() => ({
      status: 429,
      headers: { 'error-code': 'too-many-requests', 'retry-after': '3600', 'x-request-id': 'r1' },
      body: '{"error":"Too Many Requests","message":"Please wait"}',
    }));
    const error = await rejection(service.atrium.links.getLink('lnk_1'));
    expect(error).toBeInstanceOf(AtriumError);
    expect(error).toMatchObject({
      status: 429,
      error: 'Too Many Requests',
      code: 'too-many-requests',
      message: 'Please wait',
      requestId: 'r1',
      retryAfterMs: 3_600_000,
    });
    expect(service.receiver.requests).toHaveLength(1);
  });

  test('say Invalid Response when something else than a service answers', async () => {
    await using service = await startService((n) => ({
      status: n === 1 ? 200 : 404,
      body: '<html>',
    }));
    const [first, second] = [
      await rejection(service.atrium.links.getLink('lnk_1')),
      await rejection(service.atrium.links.getLink('lnk_1')),
    ];
    expect(first).toMatchObject({ status: 200, error: 'Invalid Response' });
    expect(second).toMatchObject({ status: 404, error: 'Invalid Response', code: undefined });
  });
});

describe('repeated calls', () => {
  test.each([429, 503])('are all that end in %i, at most four times', async (status) => {
    await using service = await startService(() => ({ ...unavailable, status }));
    const call = service.atrium.links.updateLink('lnk_1', { slug: 'autumn' });
    expect(await rejection(call)).toMatchObject({ status });
    expect(service.receiver.requests).toHaveLength(4);
  });

  test('are those whose first request with the key is in progress', async () => {
    const busy = { ...unavailable, status: 409 };
    await using service = await startService((n) =>
      n === 1 ? busy : { status: 201, body: '{"id":"lnk_1"}' },
    );
    await service.atrium.links.createLink({ url: 'https://example.com/' });
    const keys = service.receiver.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
  });

  test('succeed when the service is back', async () => {
    await using service = await startService((n) =>
      n < 3 ? unavailable : { status: 200, body: '{"id":"lnk_1"}' },
    );
    const link = await service.atrium.links.updateLink('lnk_1', { slug: 'autumn' });
    expect(link.id).toBe('lnk_1');
  });

  test('are those that may run twice when the answer is lost', async () => {
    await using service = await startCuttingService();
    const { links, notes } = service.atrium;
    expect(await rejection(links.getLink('lnk_1'))).toMatchObject({ error: 'Network Error' });
    await rejection(links.updateLink('lnk_1', { slug: 'autumn' }));
    await rejection(notes.shareNote('note_1'));
    const counts = Map.groupBy(service.requests, (request) => request);
    expect([...counts].map(([request, all]) => `${all.length} ${request}`)).toEqual([
      '4 GET /api/links/lnk_1',
      '1 PATCH /api/links/lnk_1',
      '4 POST /api/notes/note_1/share',
    ]);
  });

  test('are those that may run twice when something else than a service answers 503', async () => {
    await using service = await startService(() => ({ status: 503, body: 'upstream reset' }));
    await rejection(service.atrium.links.updateLink('lnk_1', { slug: 'autumn' }));
    expect(service.receiver.requests).toHaveLength(1);
    await rejection(service.atrium.links.getLink('lnk_1'));
    expect(service.receiver.requests).toHaveLength(5);
  });

  test('are those that may run twice when the service does not know the outcome', async () => {
    await using service = await startService(() => ({
      status: 500,
      headers: { 'error-code': 'outcome-unknown' },
    }));
    const { links, webhooks } = service.atrium;
    const paid = { type: 'shop.order_paid', id: 'paid-1', data: {} };
    const events = webhooks.publishEvents([paid, { type: 'shop.order_paid', data: {} }]);
    expect(await rejection(events)).toMatchObject({ status: 500, code: 'outcome-unknown' });
    expect(service.receiver.requests).toHaveLength(1);
    await rejection(webhooks.publishEvents([paid]));
    await rejection(links.createLink({ url: 'https://example.com/' }));
    expect(service.receiver.requests).toHaveLength(9);
  });

  test('have deleted what they no longer find', async () => {
    await using service = await startService((n) => (n === 1 ? { status: 502 } : missing));
    await service.atrium.links.deleteLink('lnk_1');
    expect(service.receiver.requests).toHaveLength(2);
    const another = service.atrium.links.deleteLink('lnk_2');
    expect(await rejection(another)).toMatchObject({ status: 404 });
  });

  test.each([400, 404, 412, 500])('are none that end in %i', async (status) => {
    await using service = await startService(() => ({ status }));
    expect(await rejection(service.atrium.links.getLink('lnk_1'))).toMatchObject({ status });
    expect(service.receiver.requests).toHaveLength(1);
  });
});

describe('an end to a call', () => {
  const hang = { status: 200, delayMs: 600_000 };

  test('is its deadline, which counts the repetitions', async () => {
    await using service = await startService((n) => (n === 1 ? unavailable : hang));
    const error = await rejection(service.atrium.links.getLink('lnk_1', { deadlineMs: 1_500 }));
    expect(error).toMatchObject({ status: 0, error: 'Timeout' });
  });

  test('is its signal, whose reason it throws', async () => {
    await using service = await startService(() => hang);
    const abort = new AbortController();
    const call = service.atrium.links.getLink('lnk_1', { signal: abort.signal });
    const rejected = rejection(call);
    await service.receiver.waitFor(1);
    const reason = new Error('The page was left');
    abort.abort(reason);
    expect(await rejected).toBe(reason);
  });

  test('is its signal between two attempts too', async () => {
    await using service = await startService(() => ({
      ...unavailable,
      headers: { ...unavailable.headers, 'retry-after': '9' },
    }));
    const signal = AbortSignal.timeout(300);
    expect(await rejection(service.atrium.links.getLink('lnk_1', { signal }))).toBe(signal.reason);
  });
});

describe('a list', () => {
  const pages: Record<string, ReceiverAnswer> = {
    '/api/links?limit=2': {
      status: 200,
      body: '{"data":[{"id":"1"},{"id":"2"}],"nextCursor":"b"}',
    },
    '/api/links?limit=2&cursor=b': { status: 200, body: '{"data":[],"nextCursor":"c"}' },
    '/api/links?limit=2&cursor=c': { status: 200, body: '{"data":[{"id":"3"}],"nextCursor":null}' },
  };
  const startListService = async () => {
    const receiver = await startReceiver({
      respond: (_, { path }) => pages[path] ?? { status: 500 },
    });
    const atrium = clientOf(receiver.url);
    return { receiver, atrium, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
  };

  test('is one page when it is awaited', async () => {
    await using service = await startListService();
    const page = await service.atrium.links.listLinks({ limit: 2, cursor: 'c' });
    expect(page).toEqual({ data: [{ id: '3' }], nextCursor: null });
  });

  test('is every item when it is iterated, also past an empty page', async () => {
    await using service = await startListService();
    const ids = [];
    for await (const { id } of service.atrium.links.listLinks({ limit: 2 })) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
  });

  test('reads no further than it is iterated', async () => {
    await using service = await startListService();
    for await (const { id } of service.atrium.links.listLinks({ limit: 2 })) {
      if (id === '1') break;
    }
    expect(service.receiver.requests).toHaveLength(1);
  });
});
