import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

it('never writes secrets, wherever they stand', () => {
  let text = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'info', destination });
  const secrets = { password: 'hunter2', token: 'hunter2', content: 'hunter2' };
  const headers = { authorization: 'hunter2', cookie: 'hunter2', 'set-cookie': 'hunter2' };
  logger.info({ ...secrets, body: secrets, req: { headers } }, 'line');
  expect(text).not.toContain('hunter2');
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    service: 'test',
    msg: 'line',
    password: '[redacted]',
    body: { token: '[redacted]' },
    req: { headers: { 'set-cookie': '[redacted]' } },
  });
});
