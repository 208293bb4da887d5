import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { refreshTokens } from './oauth.ts';

test('a refresh token is sent again after a 503 of auth, which has not used it up', async () => {
  let requests = 0;
  await using server = await listen((_request, response) => {
    requests += 1;
    if (requests === 1) {
      response.writeHead(503, { 'error-code': 'unavailable', 'retry-after': '0' }).end();
    } else {
      response.end('{"access_token":"new"}');
    }
  });
  expect(await refreshTokens(server.url, 'token')).toEqual({ access_token: 'new' });
});

test.each([
  ['is lost', undefined],
  ['is a 503 of something else', 503],
  ['leaves the outcome open', 500],
])('a refresh token is not sent again when the answer %s', async (_, status) => {
  let requests = 0;
  await using server = await listen((request, response) => {
    requests += 1;
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status, { 'retry-after': '0' }).end();
  });
  await expect(refreshTokens(server.url, 'token')).rejects.toMatchObject({ status: status ?? 0 });
  expect(requests).toBe(1);
});
