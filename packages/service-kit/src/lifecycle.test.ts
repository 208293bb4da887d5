import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from '@atrium/testkit/until';
import { expect, it, onTestFinished } from 'vitest';

const ENTRY = fileURLToPath(new URL('../test/process-entry.ts', import.meta.url));

function start(mode: string) {
  const child = spawn(process.execPath, [ENTRY, mode], { env: { ONE: 'one' } });
  // So that a test that fails half way leaves no process behind.
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const exitCode = once(child, 'close').then(([code]: unknown[]) => code);
  return { child, output, exitCode };
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s finishes what runs, closes in reverse order and exits with 0',
  async (signal) => {
    const { child, output, exitCode } = start('serve');
    const url = await until(() => /url (\S+)/.exec(output.stdout)?.[1]);
    const slow = fetch(`${url}/slow`);
    await until(() => output.stdout.includes('request begun'));
    child.kill(signal);
    const answer = await slow;
    expect([answer.status, await answer.json()]).toEqual([200, { done: true }]);
    expect(await exitCode).toBe(0);
    const said = output.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(said.slice(1)).toEqual([
      'request begun',
      'signalled',
      'server closed',
      'opened first, closed last',
    ]);
  },
);

it('prints every fault of the configuration and exits with code 1', async () => {
  const { output, exitCode } = start('config');
  expect(await exitCode).toBe(1);
  expect(output.stderr).toBe(
    'Bad configuration:\n' +
      '  ONE is not valid: expected a whole number\n' +
      '  TWO is missing: expected a text\n',
  );
});

it('logs why it could not start and exits with code 1', async () => {
  const { output, exitCode } = start('throw');
  expect(await exitCode).toBe(1);
  expect(output.stdout).toContain('cannot start');
});

it('logs an uncaught error and exits with code 1', async () => {
  const { output, exitCode } = start('uncaught');
  expect(await exitCode).toBe(1);
  expect(output.stdout).toContain('unexpected');
});

it('exits after a task', async () => {
  const { output, exitCode } = start('task');
  expect(await exitCode).toBe(0);
  expect(output.stdout).toContain('task done');
});
