import type { EmailContent } from './content.ts';
import type { EmailTemplates } from './templates.ts';

const TO = 'ada@example.com';
const NAME = 'Ada <b>Lovelace</b>';
const TOKEN = 'preview-token';
const LATER = '2026-02-14T09:30:00.000Z';

/** One message of each template, for the preview. The name shows that escaping works. */
export function sampleEmails(
  templates: EmailTemplates,
): Record<keyof EmailTemplates, EmailContent> {
  const change = { newEmail: 'ada@new.example.com', revokeAccessToken: TOKEN };
  const device = {
    browser: 'Firefox',
    os: 'Linux',
    ipAddress: '192.0.2.7',
    loggedInAt: '2026-01-31T09:30:00.000Z',
  };
  const webhook = {
    url: 'https://receiver.example.com/hooks?a=1&b=2',
    reason: 'the receiver answered 410 Gone',
  };
  const download = { url: 'https://example.com/exports/1?token=2&part=3', expiresAt: LATER };
  return {
    verifyEmail: templates.verifyEmail(TO, { token: TOKEN, revokeAccessToken: TOKEN }),
    emailTaken: templates.emailTaken(TO, NAME),
    resetPassword: templates.resetPassword(TO, NAME, TOKEN),
    passwordChanged: templates.passwordChanged(TO, NAME, TOKEN),
    suspiciousLogin: templates.suspiciousLogin(TO, NAME, device, TOKEN),
    secondFactorChanged: templates.secondFactorChanged(TO, NAME, {
      change: 'a second factor was added to your account',
      revokeAccessToken: TOKEN,
    }),
    confirmEmail: templates.confirmEmail(change.newEmail, TOKEN),
    emailChangeRequested: templates.emailChangeRequested(TO, NAME, change),
    emailChanged: templates.emailChanged(TO, NAME, { ...change, canRevert: true }),
    accountDeletion: templates.accountDeletion(TO, NAME, {
      erasesAt: LATER,
      revokeAccessToken: TOKEN,
    }),
    accountErased: templates.accountErased(TO, NAME),
    exportReady: templates.exportReady(TO, NAME, download),
    webhookDisabled: templates.webhookDisabled(TO, NAME, webhook),
  };
}
