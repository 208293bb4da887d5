import { Writable } from 'node:stream';
import { createLogger } from '@atrium/service-kit/logger';
import { expect, it } from 'vitest';
import type { PostponedAttempt } from '../sending/deliver.ts';
import { createPostponementLog } from './postponement-log.ts';

it('warns once of the deliveries of a webhook that are postponed for the same cause', () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = createPostponementLog(createLogger({ service: 'test', level: 'info', destination }));
  const postponed = (cause: PostponedAttempt['cause']): PostponedAttempt => ({
    outcome: 'postponed',
    cause,
    reason: 'not now',
    delayMs: 1_000,
  });
  log({ id: 'dlv_1', subscriptionId: 'whk_1' }, postponed('busy'));
  log({ id: 'dlv_2', subscriptionId: 'whk_1' }, postponed('busy'));
  log({ id: 'dlv_3', subscriptionId: 'whk_1' }, postponed('lookup'));
  log({ id: 'dlv_4', subscriptionId: 'whk_2' }, postponed('busy'));
  const ids = lines.map((line) => /dlv_\d/.exec(line)?.[0]);
  expect(ids).toEqual(['dlv_1', 'dlv_3', 'dlv_4']);
});
