const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/**
 * Every limit of the service. A rule named for an address counts a client's IP address; one named
 * for an e-mail or an account counts that, wherever the requests come from. Attempts are counted
 * before a password is hashed. `RATE_LIMITS=off` disables them all.
 */
export const RATE_LIMITS = {
  registerByAddress: { name: 'register-address', limit: 100, windowSeconds: HOUR_SECONDS },
  /** How often the owner of an address is told that somebody tried to register with it. */
  takenEmailNotice: { name: 'taken-email-notice', limit: 3, windowSeconds: HOUR_SECONDS },
  loginByAddress: { name: 'login-address', limit: 100, windowSeconds: 15 * MINUTE_SECONDS },
  loginByEmail: { name: 'login-email', limit: 20, windowSeconds: 15 * MINUTE_SECONDS },
  forgotByAddress: { name: 'forgot-address', limit: 30, windowSeconds: HOUR_SECONDS },
  forgotByEmail: { name: 'forgot-email', limit: 5, windowSeconds: HOUR_SECONDS },
  resetByAddress: { name: 'reset-address', limit: 30, windowSeconds: HOUR_SECONDS },
  changePasswordByAccount: { name: 'change-password', limit: 20, windowSeconds: HOUR_SECONDS },
  verifyByAddress: { name: 'verify-address', limit: 60, windowSeconds: HOUR_SECONDS },
  resendByAccount: { name: 'resend-account', limit: 5, windowSeconds: HOUR_SECONDS },
} as const;
