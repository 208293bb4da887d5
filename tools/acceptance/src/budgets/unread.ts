import { setTimeout as sleep } from 'node:timers/promises';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { call } from '../client.ts';
import type { Answers } from './answers.ts';
import type { Attack } from './attack.ts';
import type { Account, Field } from './field.ts';
import { RawSocket, type RawRequest } from './raw-request.ts';

const SOCKETS = 300;
const ACCOUNTS = 10;
/** Longer than the 30 s after which an answer that nobody reads may end. */
const UNREAD_MS = 45_000;
const PIPELINED = 500;
/** JSON writes each of them with six bytes. */
const CONTROL = '\u0001';

/** Fills the note of an account, and its workspace with notes up to the plan's limit. */
async function fill({ urls }: Field, account: Account, sizeBytes: number): Promise<void> {
  const { token, noteId, workspaceId } = account;
  const content = CONTROL.repeat(sizeBytes);
  const headers = { 'if-match': '*', 'x-forwarded-for': account.address };
  const url = `${urls.notes}/api/notes/${noteId}`;
  const { status } = await call('PATCH', url, { token, headers, body: { content } });
  if (status !== 200) throw new Error(`The note of ${sizeBytes} bytes was refused: ${status}`);
  const tags = Array.from({ length: 20 }, (_, n) => `${n}${CONTROL.repeat(48)}`);
  for (let n = 0; n < 90; n++) {
    await call('POST', `${urls.notes}/api/workspaces/${workspaceId}/notes`, {
      token,
      headers,
      body: { title: CONTROL.repeat(200), tags },
    });
  }
}

/** The largest answers of an account. */
function largest({ urls }: Field, account: Account): RawRequest[] {
  const { noteId, workspaceId } = account;
  const paths = [
    `/api/notes/${noteId}`,
    `/api/workspaces/${workspaceId}/notes?limit=100`,
    `/api/workspaces/${workspaceId}/export`,
    `/api/notes/${noteId}`,
  ];
  return paths.map((path) => ({ method: 'GET', url: `${urls.notes}${path}`, account }));
}

function unread(name: string, plan: 'free' | 'pro', accountCount: number): Attack {
  return {
    name,
    title: `${SOCKETS} answers of ${accountCount} ${plan} accounts that nobody reads for 45 s`,
    async prepare(field) {
      const requests: RawRequest[] = [];
      for (let n = 0; n < accountCount; n++) {
        const account = await field.createAccount({ plan });
        await fill(field, account, PLAN_LIMITS[plan].noteSizeBytes);
        requests.push(...largest(field, account));
      }
      return (answers) =>
        leaveUnread(
          Array.from({ length: SOCKETS }, (_, n) => requests[n % requests.length]),
          answers,
        );
    },
  };
}

async function leaveUnread(
  requests: readonly (RawRequest | undefined)[],
  answers: Answers,
): Promise<void> {
  using stack = new DisposableStack();
  const sockets = await Promise.all(
    requests.filter((request) => request !== undefined).map((one) => RawSocket.open(one)),
  );
  for (const each of sockets) {
    stack.use(each);
    each.socket.pause();
    await each.send();
  }
  await sleep(UNREAD_MS);
  for (const each of sockets) each.socket.resume();
  for (const outcome of await Promise.all(sockets.map((one) => one.untilAnswered()))) {
    answers.add(outcome);
  }
}

const pipelined: Attack = {
  name: 'unread-pipelined',
  title: `10 connections of ${PIPELINED} requests each whose answers nobody reads for 45 s`,
  async prepare(field) {
    const account = await field.createAccount();
    await fill(field, account, PLAN_LIMITS.free.noteSizeBytes);
    const [request] = largest(field, account);
    return async (answers) => {
      using stack = new DisposableStack();
      const sockets: RawSocket[] = [];
      for (let n = 0; n < 10 && request !== undefined; n++) {
        const socket = stack.use(await RawSocket.open(request));
        socket.socket.pause();
        for (let again = 0; again < PIPELINED; again++) void socket.send();
        sockets.push(socket);
      }
      await sleep(UNREAD_MS);
      for (const each of sockets) each.socket.resume();
      for (const each of sockets) answers.add(await each.untilAnswered());
    };
  },
};

export const UNREAD: readonly Attack[] = [
  unread('unread', 'free', ACCOUNTS),
  unread('unread-one', 'free', 1),
  unread('unread-pro', 'pro', 3),
  pipelined,
];
