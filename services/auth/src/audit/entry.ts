import type { AuditData, AuditKind } from '@atrium/contracts/audit';

/** Where a request came from; `originOf` reads it. */
export interface RequestOrigin {
  ipAddress: string;
  /** Such as "Firefox on Linux". */
  device: string;
  requestId: string;
}

export interface AuditEntry {
  kind: AuditKind;
  /** Null when the act names no account that exists. */
  accountId: string | null;
  sessionId?: string | undefined;
  /** Null when no request caused it. */
  origin: RequestOrigin | null;
  /** Never a secret: it is shown to the owner and written to the log. */
  data?: AuditData;
  nowMs: number;
}
