import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Answers } from './answers.ts';
import type { Attack } from './attack.ts';
import type { Account, Field } from './field.ts';
import { RawSocket, type RawRequest } from './raw-request.ts';
import { hugePng } from './hostile-archives.ts';

interface Target {
  method: string;
  url: (field: Field, account: Account) => string;
  headers?: Record<string, string>;
  /** A body of this size that is valid JSON, or begins as an image does. */
  body: (sizeBytes: number) => Buffer;
}

const SOCKETS = 200;
const ACCOUNTS = 10;
/** More than any route of a free account takes. */
const LARGEST_BYTES = PLAN_LIMITS.free.fileSizeBytes + 64 * 1024;
/** Outside Latin-1, so that a string of it takes two bytes for each character. */
const WIDE = '€';

/** @param value around what fills it up */
function json(value: (fill: string) => object): Target['body'] {
  const emptyBytes = Buffer.byteLength(JSON.stringify(value(WIDE)));
  return (sizeBytes) =>
    Buffer.from(JSON.stringify(value(WIDE + 'a'.repeat(Math.max(0, sizeBytes - emptyBytes)))));
}

/** Read as a whole, because it claims to be a picture. */
function picture(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  hugePng(4_000).copy(bytes);
  return bytes;
}

const PNG = { 'content-type': 'image/png' };

const NOTES: Target[] = [
  {
    method: 'POST',
    url: ({ urls }, { workspaceId }) => `${urls.notes}/api/workspaces/${workspaceId}/notes`,
    body: json((content) => ({ title: 'Long', content })),
  },
  {
    method: 'PATCH',
    url: ({ urls }, { noteId }) => `${urls.notes}/api/notes/${noteId}`,
    body: json((content) => ({ content })),
  },
];
const WEBHOOKS: Target[] = [
  {
    method: 'POST',
    url: ({ urls }) => `${urls.webhooks}/api/webhooks`,
    body: json((fill) => ({
      url: 'http://127.0.0.1:9/',
      events: ['note.shared'],
      headers: { 'x-a': fill },
    })),
  },
  {
    method: 'PATCH',
    url: ({ urls }) => `${urls.webhooks}/api/webhooks/whk_00000000000000000000000000`,
    body: json((fill) => ({ headers: { 'x-a': fill } })),
  },
];
const LINKS: Target[] = [
  {
    method: 'POST',
    url: ({ urls }) => `${urls.links}/api/links`,
    body: json((fill) => ({ url: `https://example.com/${fill}` })),
  },
];
const AUTH: Target[] = (
  [
    ['POST', '/auth/login', (fill) => ({ email: 'a@example.com', password: fill })],
    ['POST', '/auth/register', (fill) => ({ name: fill, username: 'a', email: 'a@example.com' })],
    ['POST', '/auth/forgot-password', (fill) => ({ email: fill })],
    ['PATCH', '/user/me', (fill) => ({ bio: fill })],
    [
      'POST',
      '/user/change-password',
      (fill) => ({ currentPassword: fill, newPassword: 'a longer one' }),
    ],
  ] satisfies [string, string, (fill: string) => object][]
).map(([method, path, body]) => ({
  method,
  url: ({ urls }) => `${urls.auth}${path}`,
  body: json(body),
}));

const PICTURES: Target[] = [
  { method: 'PUT', url: ({ urls }) => `${urls.auth}/user/me/avatar`, headers: PNG, body: picture },
  {
    method: 'POST',
    url: ({ urls }, { workspaceId }) =>
      `${urls.notes}/api/workspaces/${workspaceId}/attachments?name=a.png`,
    headers: PNG,
    body: picture,
  },
];

export const BODIES: readonly Attack[] = Object.entries({
  notes: NOTES,
  webhooks: WEBHOOKS,
  links: LINKS,
  auth: AUTH,
  pictures: PICTURES,
}).flatMap(([service, targets]) => [
  bodies(`bodies-${service}`, `of ${ACCOUNTS} accounts`, targets, ACCOUNTS),
  bodies(`bodies-${service}-one`, 'of one unverified account', targets, 1),
]);

function bodies(name: string, whose: string, targets: Target[], accountCount: number): Attack {
  return {
    name,
    title: `${SOCKETS} bodies at the limit ${whose} finished at once`,
    async prepare(field) {
      const accounts = await field.createAccounts(accountCount, { isVerified: accountCount > 1 });
      const requests: RawRequest[] = [];
      for (const target of targets) {
        const body = await largestBody(field, await field.createAccount(), target);
        for (let n = 0; n < SOCKETS / targets.length; n++) {
          const account = accounts[n % accounts.length];
          if (account === undefined) continue;
          const { method } = target;
          const headers = { ...target.headers, 'if-match': '*' };
          requests.push({ method, url: target.url(field, account), account, headers, body });
        }
      }
      return (answers) => finishAtOnce(requests, answers);
    },
  };
}

async function finishAtOnce(requests: readonly RawRequest[], answers: Answers): Promise<void> {
  using stack = new DisposableStack();
  const sockets = await Promise.all(requests.map((request) => RawSocket.open(request)));
  for (const socket of sockets) stack.use(socket);
  await Promise.all(sockets.map((socket) => socket.send(1)));
  for (const socket of sockets) socket.finish();
  for (const outcome of await Promise.all(sockets.map((one) => one.untilAnswered()))) {
    answers.add(outcome);
  }
}

/** The largest that is not refused for its length, to a tenth. The account may do all of it. */
async function largestBody(field: Field, account: Account, target: Target): Promise<Buffer> {
  const url = target.url(field, account);
  for (let size = LARGEST_BYTES; ; size = Math.floor(size * 0.9)) {
    const body = target.body(size);
    const { method, headers = {} } = target;
    using socket = await RawSocket.open({ method, url, account, headers, body });
    await socket.send();
    const outcome = await socket.untilAnswered();
    // 403: beyond what the plan allows.
    if (outcome !== 413 && outcome !== 403 && outcome !== 'cut off') return body;
    if (size < 1024) throw new Error(`${target.method} ${url} takes no body: ${outcome}`);
  }
}
