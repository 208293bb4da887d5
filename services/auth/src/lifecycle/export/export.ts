import { randomBytes } from 'node:crypto';
import { EXPORT_TTL_SECONDS, type ExportState } from '@atrium/contracts/account-data';
import { DATA_SERVICES, type ExportPartData } from '@atrium/contracts/account-messages';
import { newId } from '@atrium/contracts/ids';
import { INBOX, type Inbox } from '@atrium/contracts/queues';
import { appendMessage } from '@atrium/events/outbox';
import type { Sql } from '@atrium/service-kit/database';
import { notFound, unauthorized } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import type { EnqueueEmail } from '../../email/outbox/store.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import { lockBySession } from '../../accounts/store.ts';
import { type PrismaClient, transaction, type Tx } from '../../transaction-store.ts';
import { findOwner } from '../owner-store.ts';
import * as store from './store.ts';

/** After this time an incomplete export can be requested again. */
const INCOMPLETE_MAX_MS = 86_400_000;
const PARTS_AT_ONCE = 4;

export interface ExportRequestDeps {
  prisma: PrismaClient;
  recordAudit: RecordAudit;
  wakeRelay: (queue: Inbox) => void;
  clockMs: () => number;
}

/** Asks every service for what it stores about the account, unless an export is already running. */
export async function requestExport(
  deps: ExportRequestDeps,
  requester: { accountId: string; sessionId: string; origin: RequestOrigin },
): Promise<void> {
  const { accountId, origin } = requester;
  const nowMs = deps.clockMs();
  await transaction(deps.prisma, async (tx, sql) => {
    // The lock serializes parallel requests of one account.
    if ((await lockBySession(sql, requester)) === undefined) throw unauthorized('Invalid token');
    const since = new Date(nowMs - INCOMPLETE_MAX_MS);
    if (await store.hasRunningExport(tx, accountId, since)) return;
    const exportId = newId('exp', nowMs);
    const requestedAt = new Date(nowMs);
    await store.insertExport(tx, {
      id: exportId,
      accountId,
      requestedAt,
      expiresAt: expiry(nowMs),
    });
    for (const queue of Object.values(INBOX)) {
      const { requestId } = origin;
      const data = { exportId };
      await appendMessage(sql, { queue, kind: 'export.requested', accountId, data, requestId });
    }
    await deps.recordAudit(sql, { kind: 'account.export_requested', ...requester, nowMs });
  });
  for (const queue of Object.values(INBOX)) deps.wakeRelay(queue);
}

/** How far the newest export of the account is; an expired one does not count. */
export async function readExportState(
  { prisma, clockMs }: { prisma: PrismaClient; clockMs: () => number },
  accountId: string,
): Promise<ExportState> {
  const nowMs = clockMs();
  const newest = await store.findNewest(prisma, { accountId, now: new Date(nowMs) });
  const servicesTotal = DATA_SERVICES.length;
  if (newest === null) {
    return { status: 'none', requestedAt: null, expiresAt: null, servicesReady: 0, servicesTotal };
  }
  const { requestedAt, readyAt, expiresAt, servicesReady } = newest;
  const isLate = requestedAt.getTime() <= nowMs - INCOMPLETE_MAX_MS;
  return {
    status: readyAt !== null ? 'ready' : isLate ? 'failed' : 'preparing',
    requestedAt: requestedAt.toISOString(),
    expiresAt: readyAt === null ? null : expiresAt.toISOString(),
    servicesReady,
    servicesTotal,
  };
}

export interface ExportPartDeps {
  prisma: PrismaClient;
  keyRing: KeyRing;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  wakeEmailSender: () => void;
  webUrl: string;
  clockMs: () => number;
}

/** Stores one part. The last missing part completes the export, and its owner is sent a link. */
export async function receiveExportPart(
  deps: ExportPartDeps,
  accountId: string,
  part: ExportPartData,
): Promise<void> {
  const { exportId } = part;
  const isReady = await transaction(deps.prisma, async (tx, sql) => {
    if (!(await store.lockRunningExport(sql, { exportId, accountId }))) return false;
    await store.insertPart(tx, part, deps.keyRing.encrypt(part.text, contextOf(part)));
    if (!(await store.isComplete(tx, exportId))) return false;
    await complete(deps, { tx, sql, exportId, accountId });
    return true;
  });
  if (isReady) deps.wakeEmailSender();
}

async function complete(
  deps: ExportPartDeps,
  { tx, sql, exportId, accountId }: { tx: Tx; sql: Sql; exportId: string; accountId: string },
): Promise<void> {
  const nowMs = deps.clockMs();
  const token = randomBytes(32).toString('base64url');
  const expiresAt = expiry(nowMs);
  await store.markReady(tx, { exportId, token, readyAt: new Date(nowMs), expiresAt });
  const owner = await findOwner(tx, accountId);
  if (owner === null) return;
  const url = new URL(`/export/${token}`, deps.webUrl).href;
  const download = { url, expiresAt: expiresAt.toISOString() };
  const email = deps.templates.exportReady(owner, download);
  await deps.enqueueEmail(sql, 'export-ready', email);
}

export interface DownloadDeps {
  prisma: PrismaClient;
  keyRing: KeyRing;
  clockMs: () => number;
}

/**
 * The text of an export in pieces: one object with an object for each service.
 *
 * @throws HttpError 404 when the token opens no export of this account
 */
export async function openExport(
  { prisma, keyRing, clockMs }: DownloadDeps,
  { accountId, token }: { accountId: string; token: string },
): Promise<AsyncGenerator<string>> {
  const ready = await store.findReady(prisma, { accountId, token, now: new Date(clockMs()) });
  if (ready === null) throw notFound('Export');
  return textOf(prisma, keyRing, ready, accountId);
}

async function* textOf(
  prisma: PrismaClient,
  keyRing: KeyRing,
  { id: exportId, requestedAt }: store.ReadyExport,
  accountId: string,
): AsyncGenerator<string> {
  const head = { accountId, requestedAt: requestedAt.toISOString() };
  yield JSON.stringify(head).slice(0, -1);
  for (const service of DATA_SERVICES) {
    yield `,\n${JSON.stringify(service)}:`;
    const run = await store.findCompleteRun(prisma, exportId, service);
    if (run === undefined) throw new Error(`Export ${exportId} was purged during a download`);
    for (let from = 0; ; from += PARTS_AT_ONCE) {
      const page = { exportId, service, run, from, limit: PARTS_AT_ONCE };
      const parts = await store.listParts(prisma, page);
      for (const { number, content } of parts) {
        yield keyRing.decrypt(content, contextOf({ exportId, service, run, number }));
      }
      if (parts.length < PARTS_AT_ONCE) break;
    }
  }
  yield '}\n';
}

/** The encryption context: a part cannot be moved into another account's export. */
function contextOf(part: Pick<ExportPartData, 'exportId' | 'service' | 'run' | 'number'>): string {
  return `${part.exportId}/${part.service}/${part.run}/${part.number}`;
}

function expiry(nowMs: number): Date {
  return new Date(nowMs + EXPORT_TTL_SECONDS * 1000);
}
