import type { Message } from '@atrium/contracts/account-messages';
import { type AccountData, accountDataHandler } from '@atrium/events/account-data';
import type { Sql } from '@atrium/service-kit/database';
import { recordPlan } from './plan-store.ts';

/** Handles what auth says about accounts. */
export function createInbox(
  deps: Omit<AccountData, 'service'> & { sql: Sql },
): (message: Message) => Promise<void> {
  const handleAccountData = accountDataHandler({ ...deps, service: 'notes' });
  return (message) =>
    message.kind === 'plan.changed' ? recordPlan(deps.sql, message) : handleAccountData(message);
}
