import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { openTestSender } from './sender.fixture.ts';

/** Answers with as many early hints as its path says, and then with 204. */
const receiver = createServer((request, response) => {
  const count = Number(request.url?.slice(1));
  for (let i = 0; i < count; i += 1) response.writeEarlyHints({ link: '</style.css>' });
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const { port } = receiver.address() as AddressInfo;
afterAll(() => receiver[Symbol.asyncDispose]());

it('reads ten informational responses before the answer, and gives up at one more', async () => {
  await using sender = openTestSender();
  const answerAfter = async (count: number) => {
    const url = `http://127.0.0.1:${port}/${count}`;
    const headers = ['content-type', 'application/json'];
    const body = Buffer.from('{}');
    return (await sender.send({ accountId: 'usr_1', url, headers, body })).answer;
  };
  expect(await answerAfter(10)).toMatchObject({ kind: 'response', status: 204 });
  expect(await answerAfter(11)).toEqual({
    kind: 'failure',
    error: 'More than 10 informational responses came before the answer',
  });
});
