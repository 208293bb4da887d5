import type { Sql } from '@atrium/service-kit/database';

/**
 * Uses up a factor whose check succeeded, in the transaction of what it allows; false when somebody
 * else has used it meanwhile.
 */
export type UseFactor = (tx: Sql) => Promise<boolean>;

/** What an account has to prove a second factor with. */
export interface Factors {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** Whether a login needs a second step. Recovery codes alone are no factor. */
export function isSecondFactorOn({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0;
}

export type FactorName = 'totp' | 'passkey' | 'recovery-code';
