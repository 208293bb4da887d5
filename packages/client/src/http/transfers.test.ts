import type { ServerResponse } from 'node:http';
import { listen } from '@atrium/testkit/http-listener';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAtrium } from '../index.ts';
import { createFiles } from '../files.ts';

const DEADLINE_MS = 300;

/** A service that answers the end of a request as it is told, and the files of a client for it. */
async function startService(answer: (response: ServerResponse) => void) {
  const server = await listen((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  const { url } = server;
  const urls = { authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url };
  const files = createFiles(createAtrium({ ...urls, accessToken: () => 'token' }));
  return { files, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

afterEach(() => vi.restoreAllMocks());

describe('a download', () => {
  test('may take longer than its deadline, which is for the beginning of the answer', async () => {
    let answered: ServerResponse | undefined;
    await using service = await startService((response) => {
      answered = response;
      response.write('first ');
    });
    const deadline = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    const content = await service.files.downloadAttachment('fil_1', { deadlineMs: DEADLINE_MS });
    deadline.abort();
    answered?.end('second');
    expect(await new Response(content).text()).toBe('first second');
  });

  test('ends with the signal of the caller', async () => {
    await using service = await startService((response) => response.write('first '));
    const abort = new AbortController();
    const content = await service.files.downloadAttachment('fil_1', { signal: abort.signal });
    abort.abort(new Error('The page was left'));
    await expect(new Response(content).text()).rejects.toThrow('The page was left');
  });

  test('fails when the answer does not begin before the deadline', async () => {
    await using service = await startService(() => {});
    const call = service.files.downloadAttachment('fil_1', { deadlineMs: DEADLINE_MS });
    await expect(call).rejects.toMatchObject({ error: 'Timeout' });
  });
});

describe('an upload', () => {
  test('may take longer than other calls', async () => {
    // 30 s are half a second.
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 60));
    await using service = await startService((response) => {
      const body = '{"path":"/api/attachments/fil_1"}';
      timeout(1_000).addEventListener('abort', () => response.end(body));
    });
    const uploaded = await service.files.uploadAttachment('ws_1', 'a.txt', new Blob(['a']));
    expect(uploaded).toEqual({ path: '/api/attachments/fil_1' });
    expect(shortened).toHaveBeenCalled();
  });
});
