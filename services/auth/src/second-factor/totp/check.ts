import type { Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { UseFactor } from '../factor.ts';
import { stepsOf } from './code.ts';
import { findTotp, useStep } from './store.ts';

/** The secret at rest; sealed for its account, so that it cannot be moved to another. */
export function sealSecret(keyRing: KeyRing, accountId: string, secret: Buffer): string {
  return keyRing.encrypt(secret.toString('base64'), contextOf(accountId));
}

export function openSecret(keyRing: KeyRing, accountId: string, sealedSecret: string): Buffer {
  return Buffer.from(keyRing.decrypt(sealedSecret, contextOf(accountId)), 'base64');
}

const contextOf = (accountId: string) => `auth totp ${accountId}`;

/** Whether a code is right; undefined when it is not. It counts only once it could be used up. */
export async function checkCode(
  { database, keyRing }: { database: Sql; keyRing: KeyRing },
  given: { accountId: string; code: string; nowMs: number },
): Promise<UseFactor | undefined> {
  const { accountId, code, nowMs } = given;
  const sealedSecret = await findTotp(database, accountId);
  if (sealedSecret === undefined) {
    return undefined;
  }
  const steps = stepsOf(openSecret(keyRing, accountId, sealedSecret), code, nowMs);
  if (steps.length === 0) {
    return undefined;
  }
  return async (tx) => {
    // One code may fit two steps, of which the earlier one may have been used.
    for (const step of steps) {
      if (await useStep(tx, accountId, step)) {
        return true;
      }
    }
    return false;
  };
}
