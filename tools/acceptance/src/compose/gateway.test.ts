import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EXCHANGE_PATH } from '@atrium/contracts/auth/personal-tokens';
import { REVOKED_SESSIONS_PATH } from '@atrium/contracts/auth/revoked-sessions';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Each service with its matcher in the gateway's file. */
const SERVICES = [
  ['auth', 'auth'],
  ['notes', 'notes'],
  ['links', 'links'],
  ['webhook-dispatcher', 'webhooks'],
] as const;
/** Asked by the services alone. */
const INSIDE = [REVOKED_SESSIONS_PATH, EXCHANGE_PATH];
/** Short links are below /go. */
const NOT_ROUTED = [...INSIDE, '/{slug}'];

const folder = await mkdtemp(join(tmpdir(), 'atrium-gateway-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const script = join(ROOT, 'scripts', 'openapi.mjs');
await promisify(execFile)(process.execPath, [script, folder], { cwd: ROOT });
const readConfig = (name: string) => readFile(join(ROOT, 'deploy', 'caddy', name), 'utf8');
const config = await readConfig('by-path.caddy');
const matchers = [...config.matchAll(/^\s*@(\w+) path (.+)$/gm)].map(
  ([, name = '', paths = '']) => ({ name, paths: paths.split(' ') }),
);

function matcherOf(path: string): string | undefined {
  const isMatch = (pattern: string) =>
    pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return matchers.find(({ paths }) => paths.some(isMatch))?.name;
}

test.each(SERVICES)('leads every path of %s to it under one name', async (service, matcher) => {
  const text = await readFile(join(folder, `${service}.json`), 'utf8');
  const document: { paths: Record<string, object> } = JSON.parse(text);
  const paths = Object.keys(document.paths).filter((path) => !NOT_ROUTED.includes(path));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => matcherOf(path) !== matcher)).toEqual([]);
});

test('leaves it to the client to repeat a deletion whose answer is lost', async () => {
  const [, retried] = /lb_retry_match \{\s+method (.+)/.exec(await readConfig('Caddyfile')) ?? [];
  expect(retried?.split(' ')).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
});

test('hides what the services ask auth for', async () => {
  expect(INSIDE.map(matcherOf)).toEqual([undefined, undefined]);
  expect(await readConfig('by-name.caddy')).toContain(`@inside path ${INSIDE.join(' ')}\n`);
});
