import type { AuditKind } from '@atrium/contracts/audit';
import type { Sql } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { AuditEntry } from './entry.ts';
import { appendAuditEvent } from './store.ts';

/**
 * Adds a security event to the audit trail, in the transaction of the action if it has one, and to the
 * operator's log. The log line stays when the transaction fails later: the attempt matters too.
 */
export type RecordAudit = (sql: Sql, entry: AuditEntry) => Promise<void>;

/** Kinds that need an operator's attention. */
const ALARMING = new Set<AuditKind>([
  'throttled',
  'refresh.reused',
  'email.change_reverted',
  'owner.disavowed',
]);

/** Only the log line, for an event that another statement has stored. */
export type LogAudit = (auditId: string, entry: AuditEntry) => void;

export function createAuditLog(logger: Logger): LogAudit {
  return (auditId, { kind, accountId, sessionId = null, origin, operator, data = {} }) => {
    const line = { auditId, securityEvent: kind, accountId, sessionId, ...origin, operator, data };
    logger[ALARMING.has(kind) ? 'warn' : 'info'](line, 'security event');
  };
}

export function createAuditRecorder(logAudit: LogAudit): RecordAudit {
  return async (sql, entry) => logAudit(await appendAuditEvent(sql, entry), entry);
}
