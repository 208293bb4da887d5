import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { CODES_KEYWORD } from '@atrium/contracts/errors';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { allResponses } from '../src/openapi/responses.ts';

/** Fastify announces each of its servers here. */
const CHANNEL = 'fastify.initialization';

const undocumented = new Set<string>();

function watch(announced: unknown): void {
  const { fastify } = announced as { fastify: FastifyInstance };
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const { schema, method, url } = request.routeOptions;
    const code = reply.getHeader('error-code');
    const responses = allResponses(schema ?? {}, method);
    const codes: unknown[] = responses[reply.statusCode]?.[CODES_KEYWORD] ?? [];
    if (code !== undefined && 400 in responses && !codes.includes(code)) {
      undocumented.add(`${String(method)} ${url}: ${String(code)}`);
    }
    done();
  });
}

subscribe(CHANNEL, watch);

// Whatever the tests of a file make a service answer.
afterAll(() => {
  unsubscribe(CHANNEL, watch);
  if (undocumented.size > 0) {
    throw new Error(`Operations do not document what they answer: ${[...undocumented].join(', ')}`);
  }
});
