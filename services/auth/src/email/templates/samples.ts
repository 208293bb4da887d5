import type { Language } from '@atrium/contracts/auth/profile';
import type { EmailContent } from './content.ts';
import type { EmailTemplates } from './templates.ts';

const TOKEN = 'preview-token';
const LATER = '2026-02-14T09:30:00.000Z';

/** One message of each template, for the preview. The name shows that escaping works. */
export function sampleEmails(
  templates: EmailTemplates,
  language: Language,
): Record<keyof EmailTemplates, EmailContent> {
  const to = { email: 'ada@example.com', name: 'Ada <b>Lovelace</b>', language };
  const newEmail = 'ada.lovelace.with.a.rather.long.name@mail.analytical-engine.example.com';
  const change = { newEmail, revokeAccessToken: TOKEN };
  const device = {
    browser: 'Firefox',
    os: 'Linux',
    ipAddress: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    loggedInAt: '2026-01-31T09:30:00.000Z',
  };
  const webhook = {
    url: 'https://receiver.example.com/hooks/a-long-path-for-events-of-this-account?a=1&b=2',
    reason: 'the receiver answered 410 Gone',
  };
  const download = { url: 'https://example.com/exports/1?token=2&part=3', expiresAt: LATER };
  return {
    verifyEmail: templates.verifyEmail(to, { token: TOKEN, revokeAccessToken: TOKEN }),
    emailTaken: templates.emailTaken(to),
    resetPassword: templates.resetPassword(to, TOKEN),
    passwordChanged: templates.passwordChanged(to, TOKEN),
    suspiciousLogin: templates.suspiciousLogin(to, device, TOKEN),
    secondFactorChanged: templates.secondFactorChanged(to, {
      change: 'factor.added',
      revokeAccessToken: TOKEN,
    }),
    loginProviderChanged: templates.loginProviderChanged(to, {
      provider: 'Acme',
      isLinked: true,
      revokeAccessToken: TOKEN,
    }),
    applicationChanged: templates.applicationChanged(to, {
      applicationId: 'app_preview',
      applicationName: 'Reading list <b>of</b> all',
      changes: ['redirectUrls', 'postLogoutUrls', 'backchannelLogoutUrl', 'scopes'],
      revokeAccessToken: TOKEN,
    }),
    confirmEmail: templates.confirmEmail({ ...to, email: newEmail }, TOKEN),
    emailChangeRequested: templates.emailChangeRequested(to, change),
    emailChanged: templates.emailChanged(to, { ...change, canRevert: true }),
    accountDeletion: templates.accountDeletion(to, { erasesAt: LATER, revokeAccessToken: TOKEN }),
    accountErased: templates.accountErased(to),
    exportReady: templates.exportReady(to, download),
    webhookDisabled: templates.webhookDisabled(to, webhook),
    workspaceInvited: templates.workspaceInvited(to, {
      workspaceName: 'Plans for a garden & its <i>greenhouse</i>',
      role: 'editor',
      inviter: { name: 'Grace Hopper', username: 'grace' },
      token: TOKEN,
    }),
  };
}
