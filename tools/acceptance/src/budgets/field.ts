import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@atrium/local-stack/platform';
import { PROCESSES } from '@atrium/local-stack/process-table';
import { startPostgres } from '@atrium/local-stack/servers';
import { until } from '@atrium/testkit/until';
import { createPerson, logIn, register, uniqueInput } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { type BreakableServer, startBreakable } from '../chaos/breakable-server.ts';
import { call, text } from '../client.ts';
import { imageEnvironments } from './image-environment.ts';

/** An account with a workspace and a note in it. */
export interface Account {
  id: string;
  token: string;
  /** Where its requests come from: limits count by address, and an attacker has many. */
  address: string;
  workspaceId: string;
  noteId: string;
}

/** What is attacked: the platform with the heaps of the image and its limits on. */
export interface Field extends AsyncDisposable {
  platform: Platform;
  urls: Platform['urls'];
  postgres: BreakableServer;
  logLines: () => Promise<readonly string[]>;
  /** By process: where it says whether it is ready. */
  readyUrls: ReadonlyMap<string, string>;
  createAccount(options?: { isVerified?: boolean; plan?: 'free' | 'pro' }): Promise<Account>;
  /** This many accounts at a time. */
  createAccounts(count: number, options?: { isVerified?: boolean }): Promise<Account[]>;
}

const CONCURRENT_REGISTRATIONS = 8;

export async function startField(): Promise<Field> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-budgets-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = stack.use(
    await startBreakable((port) => startPostgres({ dataDir: join(dataDir, 'postgres'), port })),
  );
  const internalSecret = randomBytes(32).toString('hex');
  const atrium = stack.use(
    await startAtrium(
      {
        DATABASE_URL: postgres.url,
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'on',
        // As behind the gateway: the last address in X-Forwarded-For is the client's.
        TRUST_PROXY: 'true',
        ACCESS_TOKEN_TTL_SECONDS: '86400',
        INTERNAL_SECRET: internalSecret,
      },
      await imageEnvironments(),
    ),
  );
  const { urls, mailbox, platform } = atrium;
  let accounts = 0;

  async function createAccount({ isVerified = true, plan = 'free' } = {}): Promise<Account> {
    accounts += 1;
    const input = uniqueInput(`person${accounts}`);
    const address = `10.${(accounts >> 16) & 255}.${(accounts >> 8) & 255}.${accounts & 255}`;
    const headers = { 'x-forwarded-for': address };
    if (!isVerified) await register(urls.auth, input, headers);
    const { id, accessToken: token } = isVerified
      ? await createPerson(urls.auth, mailbox, input, headers)
      : await logIn(urls.auth, input, headers);
    const workspace = await call('POST', `${urls.notes}/api/workspaces`, {
      token,
      body: { name: 'Own' },
    });
    const workspaceId = text(workspace.body, 'id');
    if (plan === 'pro') await makePro(id, workspaceId, token);
    const note = await call('POST', `${urls.notes}/api/workspaces/${workspaceId}/notes`, {
      token,
      body: { title: 'Own', content: 'Text' },
    });
    return { id, token, address, workspaceId, noteId: text(note.body, 'id') };
  }

  /** Resolves when notes knows it. */
  async function makePro(id: string, workspaceId: string, token: string): Promise<void> {
    await call('PUT', `${urls.auth}/internal/accounts/${id}/plan`, {
      headers: { 'x-internal-secret': internalSecret },
      body: { plan: 'pro' },
    });
    await until(async () => {
      const { status } = await call('POST', `${urls.notes}/api/workspaces/${workspaceId}/notes`, {
        token,
        body: { title: 'Long', content: 'a'.repeat(60_000) },
      });
      return status === 201;
    });
  }

  const portBase = Number(new URL(urls.web).port);
  const readyUrls = new Map(
    PROCESSES.map(({ name, portOffset, metricsOffset }): [string, string] => [
      name,
      `http://127.0.0.1:${portBase + (portOffset ?? metricsOffset)}/readyz`,
    ]),
  );
  const running = stack.move();
  return {
    platform,
    urls,
    postgres,
    logLines: atrium.logLines,
    readyUrls,
    createAccount,
    async createAccounts(count, options) {
      const created: Account[] = [];
      while (created.length < count) {
        const batch = Math.min(CONCURRENT_REGISTRATIONS, count - created.length);
        created.push(
          ...(await Promise.all(Array.from({ length: batch }, () => createAccount(options)))),
        );
      }
      return created;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
