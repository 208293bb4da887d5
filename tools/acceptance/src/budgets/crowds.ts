import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, text } from '../client.ts';
import type { Answers } from './answers.ts';
import type { Attack } from './attack.ts';
import { RawSocket, type RawRequest } from './raw-request.ts';
import { hugePng } from './hostile-archives.ts';

const HELD_MS = 20_000;

async function sendAll(requests: readonly RawRequest[], answers: Answers): Promise<void> {
  using stack = new DisposableStack();
  const each = requests.map(async (request) => {
    const socket = stack.use(await RawSocket.open(request));
    await socket.send();
    answers.add(await socket.untilAnswered());
  });
  await Promise.all(each);
}

const addressOf = (n: number) => `12.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

const logins: Attack = {
  name: 'logins',
  title: '300 logins with wrong passwords from 300 addresses at once',
  async prepare({ urls }) {
    const requests = Array.from({ length: 300 }, (_, n): RawRequest => ({
      method: 'POST',
      url: `${urls.auth}/auth/login`,
      headers: { 'x-forwarded-for': addressOf(n) },
      body: Buffer.from(
        JSON.stringify({ email: `nobody${n}@example.com`, password: 'wrong wrong' }),
      ),
    }));
    return (answers) => sendAll(requests, answers);
  },
};

const heads: Attack = {
  name: 'heads',
  title: '2,000 connections with 15 KB of a head that does not end',
  async prepare({ urls }) {
    const services = [urls.auth, urls.notes, urls.links, urls.webhooks, urls.web];
    return async (answers) => {
      using stack = new DisposableStack();
      for (let n = 0; n < 2_000; n++) {
        const url = services[n % services.length] ?? '';
        const one = stack.use(await RawSocket.open({ method: 'GET', url }));
        one.socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(15_000)}`);
        void one.outcome.then((outcome) => answers.add(outcome));
      }
      await sleep(HELD_MS);
    };
  },
};

/** Bodies that are short and expensive to parse. */
const COSTLY = {
  nested: `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  'many-keys': JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [n, 0]))),
  'many-items': JSON.stringify({ title: 'a', tags: Array.from({ length: 200_000 }, () => 1) }),
  prototypes: `{"__proto__":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
};

const costly: Attack[] = Object.entries(COSTLY).map(([name, json]) => ({
  name: `json-${name}`,
  title: `50 bodies of ${Math.round(json.length / 1024)} KB of JSON that is expensive to parse`,
  async prepare(field) {
    const accounts = await field.createAccounts(5);
    const { notes } = field.urls;
    const requests = Array.from({ length: 10 }, () => accounts)
      .flat()
      .map((account): RawRequest => ({
        method: 'POST',
        url: `${notes}/api/workspaces/${account.workspaceId}/notes`,
        account,
        body: Buffer.from(json),
      }));
    return (answers) => sendAll(requests, answers);
  },
}));

const avatars: Attack = {
  name: 'avatars',
  title: '60 pictures of 25 million pixels as avatars and attachments at once',
  async prepare(field) {
    const accounts = await field.createAccounts(30);
    const body = hugePng(5_000);
    const headers = { 'content-type': 'image/png' };
    const { auth, notes } = field.urls;
    const requests = accounts.flatMap((account): RawRequest[] => [
      { method: 'PUT', url: `${auth}/user/me/avatar`, account, headers, body },
      {
        method: 'POST',
        url: `${notes}/api/workspaces/${account.workspaceId}/attachments?name=a.png`,
        account,
        headers,
        body,
      },
    ]);
    return (answers) => sendAll(requests, answers);
  },
};

/** Public notes that are expensive to render, as far as a free note goes. */
const MARKDOWN = [
  '> '.repeat(25_000),
  '[a]('.repeat(12_000),
  '*a_'.repeat(17_000),
  '|a'.repeat(25_000),
];

const pages: Attack = {
  name: 'pages',
  title: '200 readers of public notes that are expensive to render',
  async prepare(field) {
    const { urls } = field;
    const requests: RawRequest[] = [];
    for (const content of MARKDOWN) {
      const { token, noteId } = await field.createAccount();
      const note = `${urls.notes}/api/notes/${noteId}`;
      const saved = await call('PATCH', note, {
        token,
        headers: { 'if-match': '*' },
        body: { content },
      });
      if (saved.status !== 200) throw new Error(`A note was refused: ${saved.status}`);
      const shared = await call('POST', `${note}/share`, { token });
      const url = `${urls.web}${new URL(text(shared.body, 'url')).pathname}`;
      for (let n = 0; n < 50; n++) {
        requests.push({ method: 'GET', url, headers: { 'x-forwarded-for': addressOf(n) } });
      }
    }
    return (answers) => sendAll(requests, answers);
  },
};

/** Answers without an end. */
async function startEndlessReceiver() {
  const flow = (response: ServerResponse) => {
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    response.writeHead(200, { 'x-long': 'a'.repeat(12_000) });
    write();
  };
  const server = createServer((_request, response) => flow(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const receivers: Attack = {
  name: 'receivers',
  title: '100 deliveries to a receiver whose answers do not end',
  async prepare(field) {
    const { token } = await field.createAccount();
    const { webhooks } = field.urls;
    return async (answers) => {
      using receiver = await startEndlessReceiver();
      for (let n = 0; n < 10; n++) {
        const body = { url: `${receiver.url}${n}`, events: ['note.shared'] };
        const created = await call('POST', `${webhooks}/api/webhooks`, { token, body });
        const url = `${webhooks}/api/webhooks/${text(created.body, 'id')}/test`;
        for (let again = 0; again < 10; again++) {
          answers.add((await call('POST', url, { token, body: { event: 'note.shared' } })).status);
        }
      }
      await sleep(HELD_MS);
    };
  },
};

export const CROWDS: readonly Attack[] = [logins, heads, ...costly, avatars, pages, receivers];
