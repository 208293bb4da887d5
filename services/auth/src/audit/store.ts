import {
  AUDIT_CATEGORIES,
  AuditData,
  type AuditEvent,
  type AuditQuery,
} from '@atrium/contracts/auth/audit';
import { idBound, newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import Value from 'typebox/value';
import type { Database } from '../database.ts';
import type { AuditEntry } from './entry.ts';
import { userAgentOf } from './origin.ts';

/** @returns the event's id */
export async function appendAuditEvent(
  sql: Sql,
  entry: AuditEntry,
  nowMs: number,
): Promise<string> {
  const id = newId('aud', nowMs);
  const { origin } = entry;
  // Raw: part of the measured login.
  await sql.query(
    `INSERT INTO audit_events
       (id, account_id, kind, session_id, ip_address, device, request_id, data, created_at,
        operator_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)`,
    [
      id,
      entry.accountId,
      entry.kind,
      entry.sessionId ?? null,
      origin?.ipAddress ?? null,
      origin?.device ?? null,
      origin?.requestId ?? null,
      JSON.stringify(entry.data ?? {}),
      new Date(nowMs),
      entry.operator?.accountId ?? null,
    ],
  );
  return id;
}

export interface AuditPage extends Pick<AuditQuery, 'category' | 'kind' | 'from' | 'to'> {
  accountId: string;
  beforeId: string | null;
  limit: number;
}

/** An account's events before the event `beforeId`, newest first. */
export async function listAuditEvents(database: Database, page: AuditPage): Promise<AuditEvent[]> {
  const { accountId, beforeId, category, kind, from, to } = page;
  // Ids grow with time, so one index serves the order, the cursor and the time range.
  const range = [
    ...(beforeId === null ? [] : [{ id: { lt: beforeId } }]),
    ...(from === undefined ? [] : [{ id: { gte: idBound('aud', Date.parse(from)) } }]),
    ...(to === undefined ? [] : [{ id: { lt: idBound('aud', Date.parse(to)) } }]),
  ];
  const kinds = [
    ...(category === undefined ? [] : [{ kind: { in: [...AUDIT_CATEGORIES[category]] } }]),
    ...(kind === undefined ? [] : [{ kind }]),
  ];
  const rows = await database.prisma.auditEvent.findMany({
    where: { accountId, AND: [...range, ...kinds] },
    orderBy: { id: 'desc' },
    take: page.limit,
    omit: { accountId: true, operatorId: true },
  });
  return rows.map((row) => ({
    ...row,
    userAgent: userAgentOf(row.device),
    data: Value.Parse(AuditData, row.data),
    createdAt: row.createdAt.toISOString(),
  }));
}

/** @returns how many were deleted */
export async function purgeAuditEvents(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { count } = await database.prisma.auditEvent.deleteMany({
    where: { createdAt: { lt: before } },
    limit,
  });
  return count;
}
