import { Type } from 'typebox';
import { readConfig } from '../src/config.ts';
import { runProcess, runTask, serve } from '../src/lifecycle.ts';
import { createServer } from '../src/server/server.ts';

/** A process entry for lifecycle.test.ts; its argument says what becomes of it. */
const say = (line: string) => process.stdout.write(`${line}\n`);
const mode = process.argv[2];

if (mode === 'task') {
  await runTask('entry', async () => {
    say('task done');
  });
}

await runProcess('entry', async ({ env, stack, logger, shutdown }) => {
  if (mode === 'config') {
    readConfig(Type.Object({ ONE: Type.Integer(), TWO: Type.String() }), env);
  }
  if (mode === 'throw') {
    throw new Error('cannot start');
  }
  shutdown.addEventListener('abort', () => say('signalled'));
  stack.defer(() => {
    say('opened first, closed last');
  });
  const server = await createServer({
    service: 'entry',
    logger,
    trustProxy: false,
    corsOrigins: [],
    ready: {},
  });
  server.get('/slow', async () => {
    say('request begun');
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { done: true };
  });
  server.addHook('onClose', () => {
    say('server closed');
  });
  say(`url ${await serve(stack, server, { port: 0, host: '127.0.0.1' })}`);
  if (mode === 'uncaught') {
    setTimeout(() => {
      throw new Error('unexpected');
    }, 10);
  }
});
