import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createEmailAddressReader } from './email-address.ts';

test.each([
  [401, 'token-invalid'],
  [403, 'insufficient-scope'],
  [500, 'unavailable'],
])('when auth answers %i, the error code is %s', async (status, code) => {
  await using server = createServer((_request, response) => response.writeHead(status).end('{}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const readEmailAddress = createEmailAddressReader(`http://127.0.0.1:${port}`);
  await expect(readEmailAddress('Bearer token')).rejects.toMatchObject({ code });
});
