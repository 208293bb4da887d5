import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

test('a session that is revoked before the body of its request is complete changes nothing', async () => {
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const [sub, sid] = [newId('usr'), newId('ses')];
  const call = app.as({ sub });
  const path = `/api/workspaces/${await newWorkspace(call)}/notes`;
  const body = JSON.stringify({ title: 'Late', content: '' });
  const sent = request(`${origin}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app.issuer.issueToken({ sub, sid })}`,
      'content-type': 'application/json',
      'content-length': body.length,
      // Answered once the head has been read.
      expect: '100-continue',
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  await once(sent, 'continue');
  app.revokeSession(sid);
  sent.end(body);
  const [response] = await answered;
  expect([response.statusCode, response.headers['error-code']]).toEqual([401, 'token-invalid']);
  expect((await call('GET', path)).body['data']).toEqual([]);
});
