import type { AuditData, AuditKind } from '@atrium/contracts/audit';

/** Where a request came from. */
export interface RequestOrigin {
  ipAddress: string;
  /** Such as "Firefox on Linux". */
  device: string;
  requestId: string;
}

export interface AuditEntry {
  kind: AuditKind;
  /** Null when no such account exists. */
  accountId: string | null;
  sessionId?: string | undefined;
  /** Null when it was not caused by a request. */
  origin: RequestOrigin | null;
  /** Shown to the owner and logged, so never a secret. */
  data?: AuditData;
  nowMs: number;
}
