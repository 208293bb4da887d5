import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database } from '../../database.ts';
import type { ConsumeFactor } from '../factor.ts';
import { stepsOf } from './code.ts';
import { consumeStep, findTotp } from './store.ts';

/** Encrypts a secret for its account, so that it cannot be moved to another. */
export function sealSecret(keyRing: KeyRing, accountId: string, secret: Buffer): string {
  return keyRing.encrypt(secret.toString('base64'), contextOf(accountId));
}

export function openSecret(keyRing: KeyRing, accountId: string, sealedSecret: string): Buffer {
  return Buffer.from(keyRing.decrypt(sealedSecret, contextOf(accountId)), 'base64');
}

const contextOf = (accountId: string) => `auth totp ${accountId}`;

/** @returns how to consume a right code, or undefined when it is wrong */
export async function checkCode(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  given: { accountId: string; code: string; nowMs: number },
): Promise<ConsumeFactor | undefined> {
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
    // A code may match two steps, of which the earlier one may have been used.
    for (const step of steps) {
      if (await consumeStep(tx, accountId, step)) {
        return true;
      }
    }
    return false;
  };
}
