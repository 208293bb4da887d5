import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@atrium/testkit/until';
import { afterAll, describe, expect, test } from 'vitest';
import { BODY, PUBLIC_KEY, SECRET, signed, signedWithEd25519 } from '../src/delivery.fixture.ts';
import { temporaryFolder } from '../src/temporary-folder.fixture.ts';
import { codeBlock, codeBlocks } from '@atrium/testkit/code-blocks';
import { LANGUAGES, type Language } from './languages.ts';

const guide = await codeBlocks('docs/verify-webhooks.md');
const readme = await codeBlocks('packages/client/README.md');
const temporary = await temporaryFolder();
afterAll(() => temporary[Symbol.asyncDispose]());
const folder = temporary.path;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a receiver, and returns what it answers to a delivery and to a forged one. */
async function answersOf(
  name: string,
  code: string,
): Promise<{ statuses: number[]; output: string }> {
  const file = join(folder, `${name}.js`);
  await writeFile(file, code);
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET };
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(receiver, 'exit');
  const deliver = async (body: string) => {
    const headers = { 'content-type': 'application/json', ...signed() };
    const url = `http://127.0.0.1:${port}/hooks/atrium`;
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  };
  try {
    const first = await until(() => deliver(BODY));
    const forged = await deliver(BODY.replace('go.click', 'go.clack'));
    return { statuses: [first, forged], output };
  } finally {
    receiver.kill();
    await exited;
  }
}

const SERVE_HONO = `
import { serveApp } from '../../test/serve.ts';
serveApp(app.fetch);`;
const SERVE_NEXT = `
import { serveApp } from '../../test/serve.ts';
serveApp(POST);`;

describe('a receiver', () => {
  test('of the README verifies deliveries in under 20 lines', async () => {
    const code = codeBlock(readme, 'js');
    expect(code.split('\n').length).toBeLessThan(20);
    const { statuses, output } = await answersOf('readme', code);
    expect(statuses).toEqual([204, 400]);
    expect(output).toMatch(/^go\.click evt_/);
  });

  test.each([
    ['fastify', ''],
    ['express', ''],
    ['hono', SERVE_HONO],
    ['next', SERVE_NEXT],
  ])('with %s verifies deliveries', async (name, serve) => {
    const { statuses, output } = await answersOf(name, codeBlock(guide, `js ${name}`) + serve);
    expect(statuses).toEqual([204, 400]);
    expect(output).toMatch(/^go\.click evt_/);
  });
});

describe('the verification', () => {
  const run = promisify(execFile);

  /** Its answers to a delivery, a forged one and an old one; undefined when this machine lacks the language. */
  async function verdicts(
    block: string,
    language: Language,
    sign: typeof signed = signed,
    key = SECRET,
  ): Promise<string[] | undefined> {
    const [program = '', ...args] = language.version;
    const isHere = await run(program, args, { timeout: 60_000 }).then(
      () => true,
      () => false,
    );
    if (!isHere) return undefined;
    const file = join(folder, language.file);
    await writeFile(file, language.program(codeBlock(guide, block)));
    const deliveries = [
      { headers: sign(), body: BODY },
      { headers: sign(), body: BODY.replace('go.click', 'go.clack') },
      { headers: sign({ agoSeconds: 400 }), body: BODY },
    ];
    const outputs = deliveries.map(async ({ headers, body }) => {
      const values = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (key) => headers[key] ?? '',
      );
      const [command = '', ...rest] = language.run(file);
      const { stdout } = await run(command, [...rest, key, body, ...values], {
        timeout: 120_000,
        // Java decodes its arguments by the locale.
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      });
      return stdout.trim().toLowerCase();
    });
    return Promise.all(outputs);
  }

  test.each(Object.entries(LANGUAGES))('in %s accepts deliveries alone', async (name, language) => {
    const found = await verdicts(name, language);
    if (found === undefined) {
      console.log(`${name} is not on this machine: its verification was not run`);
      return;
    }
    expect(found).toEqual(['true', 'false', 'false']);
  });

  test('with a public key in python accepts deliveries alone', async () => {
    const { python } = LANGUAGES;
    if (python === undefined) throw new Error('There is no program for it');
    const version = ['python3', '-c', 'import cryptography'];
    const language = { ...python, version };
    const found = await verdicts('python key pair', language, signedWithEd25519, PUBLIC_KEY);
    if (found === undefined) console.log('cryptography is not on this machine: it was not run');
    else expect(found).toEqual(['true', 'false', 'false']);
  });
});
