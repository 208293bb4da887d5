import { AuditData, type AuditEvent } from '@atrium/contracts/audit';
import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import Value from 'typebox/value';
import type { PrismaClient } from '../transaction-store.ts';
import type { AuditEntry } from './entry.ts';

/** @returns the event's id */
export async function appendAuditEvent(sql: Sql, entry: AuditEntry): Promise<string> {
  const id = newId('aud', entry.nowMs);
  const { origin } = entry;
  // Raw: part of the measured login.
  await sql.query(
    `INSERT INTO audit_events
       (id, account_id, kind, session_id, ip_address, device, request_id, data, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)`,
    [
      id,
      entry.accountId,
      entry.kind,
      entry.sessionId ?? null,
      origin?.ipAddress ?? null,
      origin?.device ?? null,
      origin?.requestId ?? null,
      JSON.stringify(entry.data ?? {}),
      new Date(entry.nowMs),
    ],
  );
  return id;
}

/** An account's events before the event `beforeId`, newest first. */
export async function listAuditEvents(
  prisma: PrismaClient,
  { accountId, beforeId, limit }: { accountId: string; beforeId: string | null; limit: number },
): Promise<AuditEvent[]> {
  const rows = await prisma.auditEvent.findMany({
    where: { accountId, ...(beforeId === null ? {} : { id: { lt: beforeId } }) },
    orderBy: { id: 'desc' },
    take: limit,
    omit: { accountId: true },
  });
  return rows.map((row) => ({
    ...row,
    data: Value.Parse(AuditData, row.data),
    createdAt: row.createdAt.toISOString(),
  }));
}

/** @returns how many were deleted */
export async function purgeAuditEvents(
  prisma: PrismaClient,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { count } = await prisma.auditEvent.deleteMany({
    where: { createdAt: { lt: before } },
    limit,
  });
  return count;
}
