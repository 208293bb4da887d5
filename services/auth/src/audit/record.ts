import type { AuditKind } from '@atrium/contracts/audit';
import type { Sql } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { AuditEntry } from './entry.ts';
import { appendAuditEvent } from './store.ts';

/**
 * Adds a security event to the audit trail, in the transaction of the act where there is one, and
 * to the log of the operator. A transaction that fails afterwards leaves the log line behind: the
 * attempt is worth knowing too.
 */
export type RecordAudit = (sql: Sql, entry: AuditEntry) => Promise<void>;

/** What should catch an operator's eye. */
const ALARMING = new Set<AuditKind>([
  'throttled',
  'refresh.reused',
  'email.change_reverted',
  'owner.disavowed',
]);

/** The operator's half of `RecordAudit`, for an event that a statement of its own has stored. */
export type LogAudit = (auditId: string, entry: AuditEntry) => void;

export function createAuditLog(logger: Logger): LogAudit {
  return (auditId, { kind, accountId, sessionId = null, origin, data = {} }) => {
    const line = { auditId, securityEvent: kind, accountId, sessionId, ...origin, data };
    logger[ALARMING.has(kind) ? 'warn' : 'info'](line, 'security event');
  };
}

export function createAuditRecorder(logAudit: LogAudit): RecordAudit {
  return async (sql, entry) => logAudit(await appendAuditEvent(sql, entry), entry);
}
