import { createHash } from 'node:crypto';
import type { RateLimitRule } from '@atrium/service-kit/rate-limit';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/**
 * Password attempts: ten at once, then one after growing delays of up to 15 minutes. That is about a
 * hundred a day, the most that NIST SP 800-63B section 3.2.2 allows.
 */
const PASSWORD_ATTEMPTS = {
  limit: 10,
  windowSeconds: DAY_SECONDS,
  delays: { firstSeconds: 5, maxSeconds: 15 * MINUTE_SECONDS },
};
/** Attempts at a six-digit code by someone who has the password: about 25 a day. */
const CODE_ATTEMPTS = {
  limit: 5,
  windowSeconds: DAY_SECONDS,
  delays: { firstSeconds: 30, maxSeconds: HOUR_SECONDS },
};

/**
 * Every limit of the service. "By IP" counts a client's IP address (an IPv6 client by its /64
 * network); "by email" and "by account" count across all clients, whether or not the account exists.
 * Attempts are counted before a password is hashed. `RATE_LIMITS=off` disables all limits.
 */
export const RATE_LIMITS = {
  registerByIp: { name: 'register-address', limit: 100, windowSeconds: HOUR_SECONDS },
  /** Emails to an address that no account has verified, and about registrations with any. */
  emailToStranger: { name: 'email-to-stranger', limit: 5, windowSeconds: HOUR_SECONDS },
  /** To such an address, those of one kind of which an account can ask for fewer. */
  limitedEmailToStranger: {
    name: 'limited-email-to-stranger',
    limit: 10,
    windowSeconds: HOUR_SECONDS,
  },
  /** Failed logins. */
  loginByIp: { name: 'login-address', limit: 100, windowSeconds: 15 * MINUTE_SECONDS },
  /** Checked passwords, right or wrong: each costs a hash. */
  hashesByIp: { name: 'login-hashes', limit: 1000, windowSeconds: 15 * MINUTE_SECONDS },
  /** Logins to an account from all its unknown devices together. */
  loginByUnknownDevice: { name: 'login-account', ...PASSWORD_ATTEMPTS },
  /** Logins from one known device. An attacker has no such device and cannot use these up. */
  loginByKnownDevice: { name: 'login-device', ...PASSWORD_ATTEMPTS },
  forgotByIp: { name: 'forgot-address', limit: 30, windowSeconds: HOUR_SECONDS },
  forgotByEmail: { name: 'forgot-email', limit: 5, windowSeconds: HOUR_SECONDS },
  resetByIp: { name: 'reset-address', limit: 30, windowSeconds: HOUR_SECONDS },
  /**
   * Re-authentication by password. The key is the session, so that a stolen session cannot keep the
   * owner from changing the password.
   */
  confirmPassword: { name: 'confirm-password', ...PASSWORD_ATTEMPTS },
  /**
   * Passwords checked for a logged-in account, right or wrong. More than `confirmPassword` allows one
   * session, so that a stolen session cannot use it up.
   */
  hashesByAccount: { name: 'account-hashes', limit: 60, windowSeconds: HOUR_SECONDS },
  /** Passwords sent with the token of an emailed link. The key is the account. */
  linkPassword: { name: 'link-password', ...PASSWORD_ATTEMPTS },
  verifyByIp: { name: 'verify-address', limit: 60, windowSeconds: HOUR_SECONDS },
  resendByAccount: { name: 'resend-account', limit: 5, windowSeconds: HOUR_SECONDS },
  /** Each sends two emails, one of them to an email address that the account may not own. */
  changeEmailByAccount: { name: 'change-email', limit: 5, windowSeconds: HOUR_SECONDS },
  profileByAccount: { name: 'profile', limit: 60, windowSeconds: HOUR_SECONDS },
  /** Each decodes an image. */
  avatarByAccount: { name: 'avatar', limit: 30, windowSeconds: HOUR_SECONDS },
  /** Each reads all sessions and grants of the account. A short window, so that a stolen session cannot use it up. */
  revokeSessionsByAccount: { name: 'revoke-sessions', limit: 30, windowSeconds: MINUTE_SECONDS },
  /** Changes of the settings, and of applications: each of those is in the audit trail for a year. */
  settingsByAccount: { name: 'settings', limit: 60, windowSeconds: HOUR_SECONDS },
  /** Each stores a row. */
  deviceLoginByIp: { name: 'device-login', limit: 60, windowSeconds: HOUR_SECONDS },
  /** User codes that an account looks up, confirms or denies: they must not be guessed. */
  userCodeByAccount: { name: 'user-code', limit: 30, windowSeconds: 15 * MINUTE_SECONDS },
  /** Logins to other applications: each stores rows. */
  authorizeByIp: { name: 'authorize', limit: 1000, windowSeconds: 15 * MINUTE_SECONDS },
  /** Pushed authorization requests (RFC 9126): an application's server sends all of its logins from one IP address. */
  pushByIp: { name: 'push', limit: 10_000, windowSeconds: 15 * MINUTE_SECONDS },
  /** Codes of an authenticator app. */
  mfaByAccount: { name: 'mfa-account', ...CODE_ATTEMPTS },
  recoveryByAccount: { name: 'recovery-account', ...CODE_ATTEMPTS },
  /** The same from one device that has passed a second step before. */
  mfaByKnownDevice: { name: 'mfa-device', ...CODE_ATTEMPTS },
  recoveryByKnownDevice: { name: 'recovery-device', ...CODE_ATTEMPTS },
  /** How often a new password clears the failed second steps. */
  clearedSecondSteps: { name: 'mfa-cleared', limit: 2, windowSeconds: DAY_SECONDS },
  /** First codes of a new authenticator app. The key is the session, as for `confirmPassword`. */
  confirmTotp: { name: 'confirm-totp', ...PASSWORD_ATTEMPTS },
  /** Failed second steps and passkey logins. */
  mfaByIp: { name: 'mfa-address', limit: 100, windowSeconds: 15 * MINUTE_SECONDS },
  /** Requests for MFA options, by account or IP address: each may store a challenge. */
  mfaOptions: { name: 'mfa-options', limit: 1000, windowSeconds: 15 * MINUTE_SECONDS },
} as const satisfies Record<string, RateLimitRule>;

/** Hashes an email address, ignoring case, so that Redis holds no email addresses. */
export function emailKey(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}
