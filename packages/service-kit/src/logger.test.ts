import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger, type Logger } from './logger.ts';

function startLog() {
  let text = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'info', destination });
  return { logger, text: () => text };
}

it('never writes secrets, at any depth', () => {
  const { logger, text } = startLog();
  const secrets = { password: 'hunter2', token: 'hunter2', content: 'hunter2' };
  const headers = { authorization: 'hunter2', cookie: 'hunter2', 'set-cookie': 'hunter2' };
  logger.info({ ...secrets, body: secrets, req: { headers } }, 'line');
  expect(text()).not.toContain('hunter2');
  expect(JSON.parse(text())).toMatchObject({
    level: 'info',
    service: 'test',
    msg: 'line',
    password: '[redacted]',
    body: { token: '[redacted]' },
    req: { headers: { 'set-cookie': '[redacted]' } },
  });
});

describe('an error in the log', () => {
  // As ioredis and pg make them.
  const command = { name: 'xadd', args: ['stream', 'hunter2'] };
  const inner = Object.assign(new Error('no reply'), { command, code: 'ECONNRESET' });
  const detail = 'Key (email)=(hunter2) already exists.';
  const error = Object.assign(new TypeError('not stored', { cause: inner }), { detail });

  it('has its message and stack, and none of the data that a library added', () => {
    const { logger, text } = startLog();
    logger.error({ err: error }, 'line');
    expect(JSON.parse(text())).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'not stored',
        stack: expect.stringContaining('logger.test.ts'),
        cause: { type: 'Error', message: 'no reply', code: 'ECONNRESET' },
      },
    });
    expect(text()).not.toContain('hunter2');
  });

  it.each<[string, (logger: Logger) => void]>([
    ['alone', (logger) => logger.error(error)],
    ['under another name', (logger) => logger.error({ reason: error }, 'line')],
    ['deeper', (logger) => logger.error({ job: { reason: error } }, 'line')],
    ['in a list', (logger) => logger.error({ reasons: [error, { of: error }] }, 'line')],
    ['of a child logger', (logger) => logger.child({ err: error }).error('line')],
  ])('keeps the data out when it is given %s', (_how, write) => {
    const { logger, text } = startLog();
    write(logger);
    expect(text()).toContain('not stored');
    expect(text()).not.toContain('hunter2');
  });

  it('may have itself as its cause', () => {
    const { logger, text } = startLog();
    const round = new Error('round');
    round.cause = round;
    logger.error({ err: round }, 'line');
    expect(text().length).toBeLessThan(20_000);
    expect(JSON.parse(text())).toMatchObject({ err: { cause: { message: 'round' } } });
  });
});
