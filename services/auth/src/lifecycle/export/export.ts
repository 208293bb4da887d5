import { randomBytes } from 'node:crypto';
import { EXPORT_TTL_SECONDS } from '@atrium/contracts/account-data';
import { DATA_SERVICES, type ExportPartData } from '@atrium/contracts/account-messages';
import { newId } from '@atrium/contracts/ids';
import { INBOX, type Inbox } from '@atrium/contracts/queues';
import { appendMessage } from '@atrium/events/outbox';
import type { Database, Sql } from '@atrium/service-kit/database';
import { notFound, unauthorized } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { findOwner } from '../account-messages/store.ts';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import type { EnqueueEmail } from '../../email/outbox/outbox.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import { lockBySession } from '../../passwords/store.ts';
import * as store from './store.ts';

/** An export that is not finished by then may be asked for anew. */
const EXPORT_TIMEOUT_MS = 86_400_000;
const PARTS_AT_ONCE = 4;

export interface RequestExportDeps {
  database: Database;
  recordAudit: RecordAudit;
  /** After a commit that wrote messages. */
  onMessages: (queue: Inbox) => void;
  clockMs: () => number;
}

/** Asks every service for what it holds of the account. While one is being made, nothing happens. */
export async function requestExport(
  deps: RequestExportDeps,
  claim: { accountId: string; sessionId: string; origin: RequestOrigin },
): Promise<void> {
  const { accountId, origin } = claim;
  const nowMs = deps.clockMs();
  await deps.database.transaction(async (tx) => {
    // The lock makes parallel requests of one account take turns.
    if ((await lockBySession(tx, claim)) === undefined) throw unauthorized('Invalid token');
    if (await store.hasRunningExport(tx, accountId, new Date(nowMs - EXPORT_TIMEOUT_MS))) return;
    const exportId = newId('exp', nowMs);
    const now = new Date(nowMs);
    await store.insertExport(tx, { id: exportId, accountId, now, expiresAt: expiryOf(nowMs) });
    for (const queue of Object.values(INBOX)) {
      const { requestId } = origin;
      const data = { exportId };
      await appendMessage(tx, { queue, kind: 'export.requested', accountId, data, requestId });
    }
    await deps.recordAudit(tx, { kind: 'account.export_requested', ...claim, nowMs });
  });
  for (const queue of Object.values(INBOX)) deps.onMessages(queue);
}

export interface TakePartDeps {
  database: Database;
  keyRing: KeyRing;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  wakeEmailSender: () => void;
  webUrl: string;
  clockMs: () => number;
}

/** Stores one part. The last one to arrive finishes the export: its owner gets a link by mail. */
export async function takePart(
  deps: TakePartDeps,
  accountId: string,
  part: ExportPartData,
): Promise<void> {
  const { exportId } = part;
  const isReady = await deps.database.transaction(async (tx) => {
    if (!(await store.lockRunningExport(tx, { exportId, accountId }))) return false;
    await store.insertPart(tx, part, deps.keyRing.encrypt(part.text, contextOf(part)));
    if (!(await store.isComplete(tx, exportId))) return false;
    await finish(deps, tx, { exportId, accountId });
    return true;
  });
  if (isReady) deps.wakeEmailSender();
}

async function finish(
  deps: TakePartDeps,
  tx: Sql,
  { exportId, accountId }: { exportId: string; accountId: string },
): Promise<void> {
  const nowMs = deps.clockMs();
  const token = randomBytes(32).toString('base64url');
  const expiresAt = expiryOf(nowMs);
  await store.markReady(tx, { exportId, token, now: new Date(nowMs), expiresAt });
  const owner = await findOwner(tx, accountId);
  if (owner === undefined) return;
  const url = new URL(`/export/${token}`, deps.webUrl).href;
  const download = { url, expiresAt: expiresAt.toISOString() };
  const mail = deps.templates.exportReady(owner.email, owner.name, download);
  await deps.enqueueEmail(tx, 'export-ready', mail);
}

/**
 * The text of an export, piece by piece: one object with an object for each service.
 *
 * @throws HttpError 404 when the token opens no export of this account
 */
export async function openExport(
  { database, keyRing, clockMs }: { database: Database; keyRing: KeyRing; clockMs: () => number },
  { accountId, token }: { accountId: string; token: string },
): Promise<AsyncGenerator<string>> {
  const ready = await store.findReady(database, { accountId, token, now: new Date(clockMs()) });
  if (ready === undefined) throw notFound('Export');
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
    for (let from = 0; ; from += PARTS_AT_ONCE) {
      const page = { exportId, service, from, limit: PARTS_AT_ONCE };
      const parts = await store.listParts(database, page);
      for (const { run, number, content } of parts) {
        yield keyRing.decrypt(content, contextOf({ exportId, service, run, number }));
      }
      if (parts.length < PARTS_AT_ONCE) break;
    }
  }
  yield '}\n';
}

/** Sealed for its place: a part cannot be moved into another account's export. */
function contextOf(part: Pick<ExportPartData, 'exportId' | 'service' | 'run' | 'number'>): string {
  return `${part.exportId}/${part.service}/${part.run}/${part.number}`;
}

function expiryOf(nowMs: number): Date {
  return new Date(nowMs + EXPORT_TTL_SECONDS * 1000);
}
