import type { AuditData } from '@atrium/contracts/audit';
import type { OPERATOR_ACTIONS } from '@atrium/contracts/operator';
import type { OutboxQueue } from '@atrium/contracts/queues';
import type { Plan } from '@atrium/contracts/tokens';
import type { Sql } from '@atrium/service-kit/database';
import { conflict, forbidden, notFound } from '@atrium/service-kit/http-error';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { lockLoginAccount, type LoginAccount } from '../accounts/login-account-store.ts';
import type { Requester } from '../accounts/requester.ts';
import type { RecordAudit } from '../audit/record.ts';
import { setPlan, wakePlanRelays } from '../plans/set-plan.ts';
import { revokeSessions } from '../sessions/store.ts';
import { type PrismaClient, transaction, type Tx } from '../transaction-store.ts';

export interface OperatorActionsDeps {
  prisma: PrismaClient;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  recordAudit: RecordAudit;
  /** Called after a commit that wrote to the outbox. */
  wakeRelay: (queue: OutboxQueue) => void;
  clockMs: () => number;
}

/** Who does something to which account, and why. */
export interface OperatorRequest {
  operator: Requester;
  accountId: string;
  reason: string;
}

interface Change {
  tx: Tx;
  sql: Sql;
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
    await transaction(deps.prisma, async (tx, sql) => {
      const account = await lockLoginAccount(sql, accountId);
      if (account === undefined) throw notFound('Account');
      const data = { reason, ...(await change({ tx, sql, account, nowMs })) };
      await deps.recordAudit(sql, { kind, accountId, origin: null, operator, data, nowMs });
    });
    await deps.revokedSessions.sync();
  }

  const setSuspended = ({ tx, account, nowMs }: Change, suspendedAt: Date | null) =>
    tx.account.update({
      where: { id: account.id },
      data: { suspendedAt, updatedAt: new Date(nowMs) },
    });

  return {
    /** @throws HttpError 403 for one's own account, 404, 409 when it is suspended already */
    suspend: (request: OperatorRequest) =>
      act(request, 'operator.suspended', async (change) => {
        const { account, sql, nowMs } = change;
        if (account.id === request.operator.accountId) {
          throw forbidden('You cannot suspend your own account');
        }
        if (account.suspendedAt !== null) throw conflict('Account is already suspended');
        await setSuspended(change, new Date(nowMs));
        await revokeSessions(sql, { accountId: account.id }, nowMs);
      }),

    /** @throws HttpError 404, 409 when it is not suspended */
    unsuspend: (request: OperatorRequest) =>
      act(request, 'operator.unsuspended', async (change) => {
        if (change.account.suspendedAt === null) throw conflict('Account is not suspended');
        await setSuspended(change, null);
      }),

    /** @throws HttpError 404 */
    signOut: (request: OperatorRequest) =>
      act(request, 'operator.signed_out', async ({ sql, account, nowMs }) => {
        await revokeSessions(sql, { accountId: account.id }, nowMs);
      }),

    /** @throws HttpError 404, 409 when the account has this plan */
    async changePlan(request: OperatorRequest, plan: Plan): Promise<void> {
      await act(request, 'operator.plan_changed', async ({ tx, account, nowMs }) => {
        if (account.plan === plan) throw conflict(`Account already has the plan ${plan}`);
        const { requestId } = request.operator.origin;
        await setPlan(tx, { accountId: account.id, plan, requestId, nowMs });
        return { plan };
      });
      wakePlanRelays(deps.wakeRelay);
    },
  };
}
