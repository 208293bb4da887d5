import type { Tx } from '../database.ts';

/**
 * Consumes a factor whose check succeeded, in the transaction of what it allows; false when a parallel
 * request has consumed it.
 */
export type ConsumeFactor = (tx: Tx) => Promise<boolean>;

/** What an account can prove a second factor with. */
export interface Factors {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** Whether a login needs a second step. Recovery codes alone are not a factor. */
export function isSecondFactorOn({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0;
}

export type FactorName = 'totp' | 'passkey' | 'recovery-code';
