import { randomBytes } from 'node:crypto';
import { EXPORT_TTL_SECONDS, type ExportState } from '@atrium/contracts/account-data';
import {
  DATA_SERVICES,
  type ExportPartData,
  type Message,
} from '@atrium/contracts/account-messages';
import { newId } from '@atrium/contracts/ids';
import { INBOX } from '@atrium/contracts/queues';
import { originOf } from '@atrium/service-kit/database';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database, Tx } from '../../database.ts';
import type { Requester } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Emails } from '../../email/outbox/store.ts';
import { lockBySession } from '../../accounts/store.ts';
import { findOwner } from '../owner-store.ts';
import * as store from './store.ts';

/** After this time an incomplete export can be requested again. */
const INCOMPLETE_MAX_MS = 86_400_000;
const PARTS_AT_ONCE = 4;

export interface ExportRequestDeps {
  database: Database;
  audit: AuditLog;
  clockMs: () => number;
}

/**
 * Asks every service for what it stores about the account, unless an export is already running. A new export ends the
 * older ones, so that copies do not pile up.
 */
export async function requestExport(deps: ExportRequestDeps, requester: Requester): Promise<void> {
  const { accountId } = requester;
  const nowMs = deps.clockMs();
  await deps.database.transaction(requester.origin, async (tx) => {
    // The lock serializes parallel requests of one account.
    if ((await lockBySession(tx, requester)) === undefined) throw new HttpError('token-invalid');
    const since = new Date(nowMs - INCOMPLETE_MAX_MS);
    if (await store.hasRunningExport(tx, accountId, since)) return;
    const exportId = newId('exp', nowMs);
    const requestedAt = new Date(nowMs);
    await store.endExports(tx, accountId, requestedAt);
    await store.insertExport(tx, {
      id: exportId,
      accountId,
      requestedAt,
      expiresAt: expiry(nowMs),
    });
    for (const queue of Object.values(INBOX)) {
      await tx.append({ queue, kind: 'export.requested', accountId, data: { exportId } });
    }
    await deps.audit.record(tx, { kind: 'account.export_requested', ...requester });
  });
}

/** How far the newest export of the account is; an expired one does not count. */
export async function readExportState(
  { database, clockMs }: { database: Database; clockMs: () => number },
  accountId: string,
): Promise<ExportState> {
  const nowMs = clockMs();
  const newest = await store.findNewest(database, { accountId, now: new Date(nowMs) });
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
  database: Database;
  keyRing: KeyRing;
  emails: Emails;
  webUrl: string;
  clockMs: () => number;
}

/** Stores one part. The last missing part completes the export, and its owner is sent a link. */
export async function receiveExportPart(
  deps: ExportPartDeps,
  message: Extract<Message, { kind: 'export.part' }>,
): Promise<void> {
  const { accountId, data: part } = message;
  const { exportId } = part;
  const now = new Date(deps.clockMs());
  await deps.database.transaction(originOf(message), async (tx) => {
    if (!(await store.lockRunningExport(tx, { exportId, accountId, now }))) return;
    await store.insertPart(tx, part, deps.keyRing.encrypt(part.text, contextOf(part)));
    if (await store.isComplete(tx, exportId)) await complete(deps, tx, { exportId, accountId });
  });
}

async function complete(
  deps: ExportPartDeps,
  tx: Tx,
  { exportId, accountId }: { exportId: string; accountId: string },
): Promise<void> {
  const nowMs = deps.clockMs();
  const token = randomBytes(32).toString('base64url');
  const expiresAt = expiry(nowMs);
  await store.markReady(tx, { exportId, token, readyAt: new Date(nowMs), expiresAt });
  const owner = await findOwner(tx, accountId);
  if (owner === null) return;
  const url = new URL(`/export/${token}`, deps.webUrl).href;
  const download = { url, expiresAt: expiresAt.toISOString() };
  const email = deps.emails.templates.exportReady(owner, download);
  await deps.emails.enqueue(tx, 'export-ready', email);
}

export interface DownloadDeps {
  database: Database;
  keyRing: KeyRing;
  clockMs: () => number;
}

/**
 * The text of an export in pieces: one object with an object for each service.
 *
 * @throws HttpError 404 when the token opens no export of this account
 */
export async function openExport(
  { database, keyRing, clockMs }: DownloadDeps,
  { accountId, token }: { accountId: string; token: string },
): Promise<AsyncGenerator<string>> {
  const ready = await store.findReady(database, { accountId, token, now: new Date(clockMs()) });
  if (ready === null) throw notFound('Export');
  return textOf(database, keyRing, ready, accountId);
}

async function* textOf(
  database: Database,
  keyRing: KeyRing,
  { id: exportId, requestedAt }: store.ReadyExport,
  accountId: string,
): AsyncGenerator<string> {
  const head = { accountId, requestedAt: requestedAt.toISOString() };
  yield JSON.stringify(head).slice(0, -1);
  for (const service of DATA_SERVICES) {
    yield `,\n${JSON.stringify(service)}:`;
    const run = await store.findCompleteRun(database, exportId, service);
    if (run === undefined) throw purgedMeanwhile(exportId);
    let next = 0;
    for (let isEnd = false; !isEnd;) {
      const page = { exportId, service, run, from: next, limit: PARTS_AT_ONCE };
      const parts = await store.listParts(database, page);
      if (parts.length === 0) throw purgedMeanwhile(exportId);
      for (const { number, isLast, content } of parts) {
        if (number !== next) throw purgedMeanwhile(exportId);
        yield keyRing.decrypt(content, contextOf({ exportId, service, run, number }));
        next += 1;
        isEnd = isLast;
      }
    }
  }
  yield '}\n';
}

/** It cuts the connection, so that the owner does not take a part of the export for all of it. */
const purgedMeanwhile = (exportId: string) =>
  new Error(`Export ${exportId} was purged during a download`);

/** The encryption context: a part cannot be moved into another account's export. */
function contextOf(part: Pick<ExportPartData, 'exportId' | 'service' | 'run' | 'number'>): string {
  return `${part.exportId}/${part.service}/${part.run}/${part.number}`;
}

function expiry(nowMs: number): Date {
  return new Date(nowMs + EXPORT_TTL_SECONDS * 1000);
}
