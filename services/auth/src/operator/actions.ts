// Why it is so: docs/decisions/0023-operators-are-accounts.md
import type { AuditData } from '@atrium/contracts/auth/audit';
import type { OPERATOR_ACTIONS } from '@atrium/contracts/auth/operator';
import type { Plan } from '@atrium/contracts/auth/tokens';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { Database, Tx } from '../database.ts';
import { lockLoginAccount, type LoginAccount } from '../accounts/login-account-store.ts';
import type { Requester } from '../accounts/requester.ts';
import type { AuditLog } from '../audit/record.ts';
import { setPlan } from '../plans/set-plan.ts';
import { revokeSessions } from '../sessions/store.ts';

export interface OperatorActionsDeps {
  database: Database;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  audit: AuditLog;
  clockMs: () => number;
}

/** The operator, the account to act on, and why. */
export interface OperatorRequest {
  operator: Requester;
  accountId: string;
  reason: string;
}

interface Change {
  tx: Tx;
  account: LoginAccount;
  nowMs: number;
}

/**
 * What operators do to accounts. Each change and its audit event are one transaction, which holds the lock
 * that logins take too: no session starts beside a suspension.
 */
export function createOperatorActions(deps: OperatorActionsDeps) {
  async function act(
    { operator, accountId, reason }: OperatorRequest,
    kind: (typeof OPERATOR_ACTIONS)[number],
    change: (change: Change) => Promise<AuditData | void>,
  ): Promise<void> {
    const nowMs = deps.clockMs();
    await deps.database.transaction(operator.origin, async (tx) => {
      const account = await lockLoginAccount(tx, accountId);
      if (account === undefined) throw notFound('Account');
      const data = { reason, ...(await change({ tx, account, nowMs })) };
      await deps.audit.record(tx, { kind, accountId, origin: null, operator, data });
    });
    await deps.revokedSessions.sync();
  }

  const setSuspended = ({ tx, account, nowMs }: Change, suspendedAt: Date | null) =>
    tx.prisma.account.update({
      where: { id: account.id },
      data: { suspendedAt, updatedAt: new Date(nowMs) },
    });

  return {
    /** @throws HttpError 403 for one's own account, 404, 409 when it is suspended already */
    suspend: (request: OperatorRequest) =>
      act(request, 'operator.suspended', async (change) => {
        const { account, tx, nowMs } = change;
        if (account.id === request.operator.accountId) {
          throw new HttpError('own-account');
        }
        if (account.suspendedAt !== null)
          throw new HttpError('nothing-to-change', 'Account is already suspended');
        await setSuspended(change, new Date(nowMs));
        await revokeSessions(tx, { accountId: account.id }, nowMs);
      }),

    /** @throws HttpError 404, 409 when it is not suspended */
    unsuspend: (request: OperatorRequest) =>
      act(request, 'operator.unsuspended', async (change) => {
        if (change.account.suspendedAt === null)
          throw new HttpError('nothing-to-change', 'Account is not suspended');
        await setSuspended(change, null);
      }),

    /** @throws HttpError 404 */
    signOut: (request: OperatorRequest) =>
      act(request, 'operator.signed_out', async ({ tx, account, nowMs }) => {
        await revokeSessions(tx, { accountId: account.id }, nowMs);
      }),

    /** @throws HttpError 404, 409 when the account has this plan */
    changePlan: (request: OperatorRequest, plan: Plan) =>
      act(request, 'operator.plan_changed', async ({ tx, account, nowMs }) => {
        if (account.plan === plan)
          throw new HttpError('nothing-to-change', `Account already has the plan ${plan}`);
        await setPlan(tx, { accountId: account.id, plan, nowMs });
        return { plan };
      }),
  };
}
