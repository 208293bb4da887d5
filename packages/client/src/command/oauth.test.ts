import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { refreshTokens } from './oauth.ts';

test('a refresh token is not sent again after a 503', async () => {
  let requests = 0;
  await using server = await listen((_request, response) => {
    requests += 1;
    response.writeHead(503, { 'retry-after': '0' }).end();
  });
  await expect(refreshTokens(server.url, 'token')).rejects.toMatchObject({ status: 503 });
  expect(requests).toBe(1);
});
