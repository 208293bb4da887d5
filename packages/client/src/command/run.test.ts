import { readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReceiver } from '@atrium/testkit/receiver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { completionOf } from './completion.ts';
import { run } from './run.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const credentialsPath = () => join(folder.path, 'credentials.json');
/** Where nothing listens. */
const NOWHERE = 'http://127.0.0.1:3';

async function atrium(
  args: string[],
  {
    url = NOWHERE,
    path = credentialsPath(),
    token = undefined as string | undefined,
    stop = new AbortController(),
  } = {},
) {
  const output: string[] = [];
  const code = await run({
    args,
    credentialsPath: path,
    token,
    authUrl: url,
    webhooksUrl: url,
    notesUrl: url,
    // Whoever sees the page changes their mind.
    openPage: () => stop.abort(),
    write: (text) => output.push(text),
    writeError: (text) => output.push(text),
    signal: stop.signal,
  });
  return { code, output: output.join('') };
}

/** Logged in with an access token that is still good for this time. */
async function logIn(url: string, tokenSeconds: number, listeners: object = {}): Promise<void> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = { iat: nowSeconds - 900, exp: nowSeconds + tokenSeconds };
  const accessToken = `.${btoa(JSON.stringify(claims))}.`;
  const urls = { authUrl: url, webhooksUrl: url, notesUrl: url };
  const tokens = { accessToken, refreshToken: 'refresh' };
  const stored = { ...urls, email: 'ada@example.com', ...tokens, listeners };
  await writeFile(credentialsPath(), JSON.stringify(stored));
}

test.each([
  [2, ['listen', '--forwards', 'localhost:3000'], "Unknown option '--forwards'"],
  [2, ['listen'], 'Usage: atrium listen --forward URL'],
  [2, ['listen', '--forward', 'ftp://localhost/hook'], 'is not a URL such as http://'],
  [2, ['listen', '--forward', 'localhost:3000', '--events', 'note'], 'Events have names such as'],
  [2, ['trigger'], 'Events have names such as'],
  [2, ['listne'], 'Unknown command listne'],
  [2, ['login', '--auth-url', 'localhost:4001'], 'is not a URL such as http://localhost:4001'],
  [2, ['login', '--notes-url', 'http://'], 'http:// is not a URL'],
  [2, ['notes', 'import', 'missing.zip'], 'missing.zip cannot be read'],
  [2, ['notes', 'import', tmpdir()], 'is a folder: pack it as a zip archive'],
  [2, ['completion', 'fish'], 'Usage: atrium completion bash|zsh'],
  [3, ['whoami'], 'Not logged in: run `atrium login` first'],
  [3, ['whoami', '--json'], '{"error":"Not logged in'],
  [4, ['login'], 'The service could not be reached: connect ECONNREFUSED 127.0.0.1:3'],
])('exits with %i for %j', async (code, args, message) => {
  const ended = await atrium(args);
  expect(ended.code).toBe(code);
  expect(ended.output).toContain(message);
});

test('--version prints the version of the package', async () => {
  const path = join(import.meta.dirname, '..', '..', 'package.json');
  const { version } = JSON.parse(await readFile(path, 'utf8'));
  expect(await atrium(['--version'])).toEqual({ code: 0, output: `${version}\n` });
});

test('its help names every exit code, and so does the documentation', async () => {
  const { code, output } = await atrium(['-h']);
  expect(code).toBe(0);
  const [, codes = ''] = /Exit codes: ([^.]*)\./.exec(output) ?? [];
  const readme = await readFile(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  expect(readme.replaceAll('\n', ' ')).toContain(codes.replaceAll('\n', ' '));
  expect(codes.match(/\d+/g)).toEqual(['0', '1', '2', '3', '4', '130']);
});

test('its help names the commands with the options that the completion offers', async () => {
  const { output } = await atrium(['-h']);
  const common = [...output.matchAll(/^ {2}(--[a-z]+)/gm)].map(([, option]) => option);
  const described = [...output.matchAll(/^ {2}([a-z]+) (.*(?:\n {4}.*)*)/gm)].map(
    ([, name, text = '']) => [name, [...(text.match(/--[a-z-]+/g) ?? []), ...common].join(' ')],
  );
  const offered = completionOf('bash').matchAll(/^ +([a-z]+)\) choices="(--[^"]*)"/gm);
  expect(described).toEqual([...offered].map(([, name, options]) => [name, options]));
});

test('a login that is interrupted exits with 130', async () => {
  const codes = {
    device_code: 'x',
    user_code: 'WDJB-MJHT',
    verification_uri_complete: 'http://localhost:4000/device?code=WDJB-MJHT',
    expires_in: 600,
    interval: 5,
  };
  const respond = () => ({ status: 200, body: JSON.stringify(codes) });
  await using auth = await startReceiver({ respond });
  const { code, output } = await atrium(['login'], auth);
  expect(code).toBe(130);
  expect(output).toContain('/device?code=WDJB-MJHT\nand confirm the code WDJB-MJHT.');
});

test.each([
  ['whoami', ''],
  ['trigger go.click', ''],
  ['logout', ''],
  ['events publish FILE', 'Event 1: This operation was aborted; 0 were sent before\n'],
  ['events types push FILE', 'FILE: This operation was aborted\n'],
])('%s is interrupted while it waits for a service', async (command, message) => {
  const stop = new AbortController();
  await using service = await startReceiver({
    respond: () => {
      stop.abort();
      return { status: 200, body: '{"data":[{}]}' };
    },
  });
  await logIn(service.url, 900, { 'http://localhost:3000/': { id: 'whk_1', secret: '' } });
  const path = join(folder.path, 'shop.order_paid.json');
  await writeFile(path, '{"type":"shop.order_paid","data":{}}');
  const args = command.split(' ').map((word) => (word === 'FILE' ? path : word));
  const { code, output } = await atrium(args, { stop });
  expect([code, output.replace(path, 'FILE')]).toEqual([130, message]);
  expect(service.requests).toHaveLength(1);
  expect(await readFile(credentialsPath(), 'utf8')).toContain('refresh');
});

test('a login that could not be stored is not begun', async () => {
  await using auth = await startReceiver();
  await writeFile(credentialsPath(), '');
  const path = join(credentialsPath(), 'credentials.json');
  const { code, output } = await atrium(['login'], { ...auth, path });
  expect(code).toBe(1);
  expect(output).toContain(`${path} cannot be written: `);
  expect(auth.requests).toEqual([]);
});

test('a damaged file of credentials is like none', async () => {
  await writeFile(credentialsPath(), '{"email":');
  expect(await atrium(['whoami'])).toMatchObject({ code: 3 });
});

test('a token is not refreshed while the file cannot be written, since that would end the login', async () => {
  await using auth = await startReceiver();
  await logIn(auth.url, -1);
  const before = await readFile(credentialsPath(), 'utf8');
  await symlink('missing/file', `${credentialsPath()}.${process.pid}.tmp`);
  const { code, output } = await atrium(['whoami']);
  expect(code).toBe(1);
  expect(output).toContain('cannot be written: ENOENT');
  expect(auth.requests).toEqual([]);
  expect(await readFile(credentialsPath(), 'utf8')).toBe(before);
});

test('a test event goes to the listener that was started last, or to the one that is named', async () => {
  const respond = () => ({ status: 202, body: '{"deliveryId":"dlv_1"}' });
  await using webhooks = await startReceiver({ respond });
  await logIn(webhooks.url, 900, {
    'http://localhost:3000/hook': { id: 'whk_old', secret: '' },
    'http://localhost:4000/': { id: 'whk_new', secret: '' },
  });
  const { output } = await atrium(['trigger', 'go.click']);
  expect(output).toBe('Sent go.click to http://localhost:4000/ as dlv_1.\n');
  await atrium(['trigger', 'go.click', '--forward', '3000/hook']);
  await atrium(['trigger', 'go.click', '--forward', 'localhost:5000']);
  const product = await atrium(['trigger', 'shop.order_paid']);
  expect(product.output).toBe('Sent shop.order_paid to http://localhost:4000/ as dlv_1.\n');
  const paths = webhooks.requests.map(({ path }) => path);
  const [last, named] = ['/api/webhooks/whk_new/test', '/api/webhooks/whk_old/test'];
  expect(paths).toEqual([last, named, last]);
});

test('with a personal access token it needs no login, and keeps the token nowhere', async () => {
  const user = { name: 'Ada', email: 'ada@example.com' };
  await using service = await startReceiver({
    respond: (_, { headers }) =>
      headers.authorization === 'Bearer atrium_pat_good'
        ? { status: 200, body: JSON.stringify(user) }
        : {
            status: 401,
            body: JSON.stringify({ error: 'Unauthorized', message: 'Invalid token' }),
          },
  });
  const { url } = service;
  const known = await atrium(['whoami'], { url, token: 'atrium_pat_good' });
  expect(known).toEqual({ code: 0, output: 'Ada <ada@example.com>\n' });
  const rejected = await atrium(['whoami'], { url, token: 'atrium_pat_bad' });
  expect([rejected.code, rejected.output]).toEqual([3, expect.stringContaining('was rejected')]);
  expect((await atrium(['logout'], { url, token: 'atrium_pat_good' })).code).toBe(2);
  await expect(readFile(credentialsPath(), 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('listening with a personal access token leaves no login, but its listener', async () => {
  let stop = new AbortController();
  await using service = await startReceiver({
    respond: (_, { path }) => {
      if (path.endsWith('/lease')) stop.abort();
      return { status: 200, body: '{"id":"whk_1","secret":"","deliveries":[],"nextDueAt":null}' };
    },
  });
  const { url } = service;
  const listenWithToken = async () => {
    stop = new AbortController();
    const args = ['listen', '--forward', '3000/hook', '--events', 'shop.*,go.click'];
    const { code, output } = await atrium(args, { url, token: 'atrium_pat_good', stop });
    expect(code).toBe(0);
    expect(output).toContain('Forwarding shop.*, go.click to http://localhost:3000/hook\n');
    return service.requests.splice(0).map(({ method, path }) => `${method} ${path}`);
  };
  expect(await listenWithToken()).toContain('POST /api/listeners');
  for (const command of ['whoami', 'logout']) {
    expect(await atrium([command])).toMatchObject({
      code: 3,
      output: 'Not logged in: run `atrium login` first\n',
    });
  }
  expect(await listenWithToken()).toContain('PATCH /api/webhooks/whk_1');
});
