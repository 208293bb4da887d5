import { expect, test } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';

const KIB = 1024;

test('an answer that its handler writes itself takes its part of the budget only until its end', async () => {
  const inFlight = { holderBytes: 100 * KIB, requestBytes: KIB };
  await using app = await startTestServer(
    (server) => {
      server.get('/own', (_request, reply) => {
        reply.hijack();
        reply.raw.end('{}');
      });
    },
    { inFlight },
  );
  const statuses = new Set<number>();
  for (let count = 0; count < 300; count += 1) {
    const response = await fetch(`${app.origin}/own`);
    await response.arrayBuffer();
    statuses.add(response.status);
  }
  expect(statuses).toEqual(new Set([200]));
});
