import { createHash } from 'node:crypto';
import type { RateLimitRule } from '@atrium/service-kit/rate-limit';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/**
 * For guesses at a password: ten at once, then each one waits longer, up to a quarter of an hour.
 * That makes about a hundred a day, the most that NIST SP 800-63B section 3.2.2 allows.
 */
const PASSWORD_GUESSES = {
  limit: 10,
  windowSeconds: DAY_SECONDS,
  delays: { firstSeconds: 5, maxSeconds: 15 * MINUTE_SECONDS },
};
/** For guesses at a code of six digits by somebody who has the password: about 25 a day. */
const CODE_GUESSES = {
  limit: 5,
  windowSeconds: DAY_SECONDS,
  delays: { firstSeconds: 30, maxSeconds: HOUR_SECONDS },
};

/**
 * Every limit of the service. A rule named for an address counts a client's IP address (an IPv6
 * client by its /64 network); one named for an e-mail or an account counts that, wherever the
 * requests come from and whether or not it exists. Attempts are counted before a password is hashed.
 * `RATE_LIMITS=off` disables them all.
 */
export const RATE_LIMITS = {
  registerByAddress: { name: 'register-address', limit: 100, windowSeconds: HOUR_SECONDS },
  /** How often the owner of an address is told that somebody tried to register with it. */
  takenEmailNotice: { name: 'taken-email-notice', limit: 3, windowSeconds: HOUR_SECONDS },
  /** Logins that failed. */
  loginByAddress: { name: 'login-address', limit: 100, windowSeconds: 15 * MINUTE_SECONDS },
  /** Logins whose password was looked at, right or wrong: each costs a hash. */
  hashesByAddress: { name: 'login-hashes', limit: 1000, windowSeconds: 15 * MINUTE_SECONDS },
  /** Logins to an account by all devices that it does not know, together. */
  loginByStrangers: { name: 'login-account', ...PASSWORD_GUESSES },
  /** Logins to an account by one device that it knows: nobody else can use these up. */
  loginByKnownDevice: { name: 'login-device', ...PASSWORD_GUESSES },
  forgotByAddress: { name: 'forgot-address', limit: 30, windowSeconds: HOUR_SECONDS },
  forgotByEmail: { name: 'forgot-email', limit: 5, windowSeconds: HOUR_SECONDS },
  resetByAddress: { name: 'reset-address', limit: 30, windowSeconds: HOUR_SECONDS },
  /**
   * The current password, asked for again by somebody who is logged in: the key is the session, so
   * that a stolen one cannot keep the owner from changing the password. Use it with `countGuess`.
   */
  confirmPassword: { name: 'confirm-password', ...PASSWORD_GUESSES },
  /**
   * Passwords that were looked at for somebody who is logged in, right or wrong, as `hashesByAddress`:
   * more than a stolen session can guess in the hour. Use it with `countHash`.
   */
  hashesByAccount: { name: 'account-hashes', limit: 60, windowSeconds: HOUR_SECONDS },
  verifyByAddress: { name: 'verify-address', limit: 60, windowSeconds: HOUR_SECONDS },
  resendByAccount: { name: 'resend-account', limit: 5, windowSeconds: HOUR_SECONDS },
  /** Each costs two mails, one of them to an address that the account does not own. */
  changeEmailByAccount: { name: 'change-email', limit: 5, windowSeconds: HOUR_SECONDS },
  profileByAccount: { name: 'profile', limit: 60, windowSeconds: HOUR_SECONDS },
  /** Codes of an authenticator app. Use it with `countGuess`. */
  mfaByAccount: { name: 'mfa-account', ...CODE_GUESSES },
  /** Recovery codes. Use it with `countGuess`. */
  recoveryByAccount: { name: 'recovery-account', ...CODE_GUESSES },
  /** The same from one device that has passed a second step: nobody else can use these up. */
  mfaByKnownDevice: { name: 'mfa-device', ...CODE_GUESSES },
  recoveryByKnownDevice: { name: 'recovery-device', ...CODE_GUESSES },
  /** How often a new password clears the counts of second steps. */
  clearedSecondSteps: { name: 'mfa-cleared', limit: 2, windowSeconds: DAY_SECONDS },
  /** First codes of a new authenticator app; the key is the session, as for `confirmPassword`. */
  confirmTotp: { name: 'confirm-totp', ...PASSWORD_GUESSES },
  /** Second steps and logins with a passkey that failed. */
  mfaByAddress: { name: 'mfa-address', limit: 100, windowSeconds: 15 * MINUTE_SECONDS },
  /** Questions what a step can be taken with: each may leave a challenge behind. */
  mfaOptionsByAddress: { name: 'mfa-options', limit: 1000, windowSeconds: 15 * MINUTE_SECONDS },
} as const satisfies Record<string, RateLimitRule>;

/** The key of an e-mail address, whatever its case: who tried to log in is not Redis's business. */
export function emailKey(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}
