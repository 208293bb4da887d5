import type { AuditData, AuditKind } from '@atrium/contracts/auth/audit';

/** Where a request came from: the `Origin` of its transactions too. */
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
  /** The operator who acted for the platform: logged and stored, but never shown to the account. */
  operator?: { accountId: string; sessionId: string; origin: RequestOrigin };
  /** Shown to the owner and logged, so never a secret. */
  data?: AuditData;
}
