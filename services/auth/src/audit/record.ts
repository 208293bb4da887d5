import type { AuditKind } from '@atrium/contracts/auth/audit';
import type { Sql } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { AuditEntry } from './entry.ts';
import { appendAuditEvent } from './store.ts';

export interface AuditLog {
  /**
   * Adds a security event to the audit trail, in the transaction of the action if it has one, and to the
   * operator's log. The log line stays when the transaction fails later: the attempt matters too.
   */
  record(sql: Sql, entry: AuditEntry): Promise<void>;
}

/** Kinds that need an operator's attention. */
const ALARMING = new Set<AuditKind>([
  'throttled',
  'refresh.reused',
  'email.change_reverted',
  'owner.disavowed',
]);

export function createAuditLog(options: { logger: Logger; clockMs: () => number }): AuditLog {
  return {
    async record(sql, entry) {
      const auditId = await appendAuditEvent(sql, entry, options.clockMs());
      const { kind, accountId, sessionId = null, origin, operator, data = {} } = entry;
      const line = {
        auditId,
        securityEvent: kind,
        accountId,
        sessionId,
        ...origin,
        operator,
        data,
      };
      options.logger[ALARMING.has(kind) ? 'warn' : 'info'](line, 'security event');
    },
  };
}
