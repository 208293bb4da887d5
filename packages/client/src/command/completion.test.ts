import { execFileSync } from 'node:child_process';
import { EVENT_NAMES } from '@atrium/contracts/event-names';
import { expect, test } from 'vitest';
import { OPTIONS } from './arguments.ts';
import { completionOf } from './completion.ts';

/** What bash offers after these words, the last of which is being typed. */
function complete(...words: string[]): string {
  const offer = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _atrium; echo "\${COMPREPLY[*]}"`;
  const script = `set -u; ${completionOf('bash')} ${offer}`;
  const args = ['--norc', '-c', script, 'bash', ...words];
  return execFileSync('bash', args, { encoding: 'utf8' }).trim();
}

test.each([
  [['atrium', ''], 'login logout whoami listen trigger notes events completion'],
  [['/usr/bin/atrium', 'l'], 'login logout listen'],
  [['atrium', 'listen', '--'], '--forward --events --json --help --version'],
  [['atrium', 'listen', '--forward', ''], ''],
  [['atrium', 'trigger', ''], EVENT_NAMES.join(' ')],
  [['atrium', 'listen', '--events', 'go.click,note.s'], 'go.click,note.shared'],
  [['atrium', 'notes', 'e'], 'export'],
  [['atrium', 'notes', 'import', 'vault.zip', '--w'], '--workspace'],
  [['atrium', 'events', ''], 'publish types'],
  [['atrium', 'events', 'types', ''], 'push'],
  [['atrium', 'completion', 'z'], 'zsh'],
])('bash completes %j', (words, offered) => {
  expect(complete(...words)).toBe(offered);
});

test('every option is offered with a command, and no other', () => {
  const commands = complete('atrium', '').split(' ');
  const offered = commands.flatMap((name) => complete('atrium', name, 'x', '--').split(' '));
  expect(new Set(offered)).toEqual(new Set(Object.keys(OPTIONS).map((name) => `--${name}`)));
});

test('zsh is offered the same words', () => {
  const wordsOf = (shell: string) =>
    [...completionOf(shell).matchAll(/"((?:[a-z.-]+ )[^"$]*)"/g)].map(([, words]) => words);
  expect(new Set(wordsOf('zsh'))).toEqual(new Set(wordsOf('bash')));
  expect(wordsOf('zsh').length).toBeGreaterThan(8);
});
