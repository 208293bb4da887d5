import type { Tx } from '../database.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { AuditLog } from '../audit/record.ts';
import { deleteDevicesSince } from '../devices/device-store.ts';
import type { LoginProvider } from '../login-providers-config.ts';
import { deleteMachineSecrets } from '../oauth/applications/store.ts';
import { providerName } from '../login-providers/providers.ts';
import { deleteIdentitiesSince } from '../login-providers/store.ts';
import { deleteFactorsSince } from '../second-factor/store.ts';

/** Removes the secrets of machines, which whoever had access may have read or made. */
export async function removeMachineSecrets(
  { audit }: { audit: AuditLog },
  tx: Tx,
  { accountId, origin }: { accountId: string; origin: RequestOrigin },
): Promise<void> {
  for (const name of await deleteMachineSecrets(tx, accountId)) {
    const kind = 'application.secret_removed';
    await audit.record(tx, { kind, accountId, origin, data: { name } });
  }
}

export interface RemoveAccessDeps {
  audit: AuditLog;
  loginProviders: readonly LoginProvider[];
}

/**
 * Removes the factors, linked login providers and devices that the account has had only since `since`,
 * with which an intruder could come back. The caller holds the account's lock.
 */
export async function removeAccessSince(
  { audit, loginProviders }: RemoveAccessDeps,
  tx: Tx,
  access: { accountId: string; since: Date; origin: RequestOrigin },
): Promise<void> {
  const { accountId, origin } = access;
  for (const factor of await deleteFactorsSince(tx, access)) {
    await audit.record(tx, { kind: 'factor.removed', accountId, origin, data: { factor } });
  }
  for (const id of await deleteIdentitiesSince(tx, access)) {
    const data = { provider: providerName(loginProviders, id) };
    await audit.record(tx, { kind: 'identity.unlinked', accountId, origin, data });
  }
  await deleteDevicesSince(tx, access);
}
