import { type EmailContent, renderEmail } from './content.ts';

export type EmailKind =
  | 'verify-email'
  | 'email-taken'
  | 'reset-password'
  | 'password-changed'
  | 'suspicious-login'
  | 'second-factor-changed'
  | 'confirm-email'
  | 'email-change-requested'
  | 'email-changed'
  | 'account-deletion'
  | 'account-erased'
  | 'export-ready'
  | 'webhook-disabled';

/** `revokeAccessToken` is the email token with which the owner revokes suspicious access. */
export interface EmailTemplates {
  verifyEmail(to: string, links: { token: string; revokeAccessToken: string }): EmailContent;
  emailTaken(to: string, name: string): EmailContent;
  resetPassword(to: string, name: string, token: string): EmailContent;
  passwordChanged(to: string, name: string, revokeAccessToken: string): EmailContent;
  suspiciousLogin(
    to: string,
    name: string,
    device: LoginDevice,
    revokeAccessToken: string,
  ): EmailContent;
  /** @param notice.change a clause without capital letter and full stop */
  secondFactorChanged(
    to: string,
    name: string,
    notice: { change: string; revokeAccessToken: string },
  ): EmailContent;
  /** To the new address. */
  confirmEmail(to: string, token: string): EmailContent;
  /** To the current address, when a change is requested. */
  emailChangeRequested(to: string, name: string, change: EmailChangeNotice): EmailContent;
  /** To the previous address, after the change. */
  emailChanged(to: string, name: string, change: EmailChangedNotice): EmailContent;
  /** @param deletion.erasesAt ISO 8601 */
  accountDeletion(
    to: string,
    name: string,
    deletion: { erasesAt: string; revokeAccessToken: string },
  ): EmailContent;
  /** The last message, to an address that is no longer stored. */
  accountErased(to: string, name: string): EmailContent;
  /** @param download.expiresAt ISO 8601 */
  exportReady(to: string, name: string, download: { url: string; expiresAt: string }): EmailContent;
  webhookDisabled(to: string, name: string, webhook: { url: string; reason: string }): EmailContent;
}

export interface LoginDevice {
  browser: string;
  os: string;
  ipAddress: string;
  /** ISO 8601. */
  loggedInAt: string;
}

export interface EmailChangeNotice {
  newEmail: string;
  revokeAccessToken: string;
}

export interface EmailChangedNotice extends EmailChangeNotice {
  /** Whether the link restores the previous address. */
  canRevert: boolean;
}

/** @param webUrl start of every link; nothing that a client sends ends up in a link */
export function createEmailTemplates(webUrl: string): EmailTemplates {
  const page = (path: string) => new URL(path, webUrl).href;
  const revokeAction = (token: string) => ({
    label: 'This was not me',
    url: page(`/not-me/${token}`),
  });
  return {
    // No name: the address is not confirmed yet, so its owner may never have registered.
    verifyEmail: (to, { token, revokeAccessToken }) =>
      renderEmail({
        to,
        subject: 'Verify your email address',
        paragraphs: ['Hello,', 'please confirm that this address is yours.'],
        action: { label: 'Verify email address', url: page(`/verify-email/${token}`) },
        closing:
          'The link works for 24 hours. If you did not sign up, someone else used your address: the ' +
          'link below ends their access.',
        secondaryAction: revokeAction(revokeAccessToken),
      }),
    emailTaken: (to, name) =>
      renderEmail({
        to,
        subject: 'You already have an account',
        paragraphs: [
          hello(name),
          'someone tried to use this address for another account, but it already has one.',
          'If it was you, log in instead; if you have forgotten the password, ask for a new one.',
        ],
        action: { label: 'Log in', url: page('/login') },
        closing: 'If it was not you, you do not need to do anything.',
      }),
    resetPassword: (to, name, token) =>
      renderEmail({
        to,
        subject: 'Reset your password',
        paragraphs: [hello(name), 'someone asked for a new password for your account.'],
        action: { label: 'Choose a new password', url: page(`/reset-password/${token}`) },
        closing:
          'The link works once, within 30 minutes. If you did not ask for it, ignore this email.',
      }),
    passwordChanged: (to, name, revokeAccessToken) =>
      renderEmail({
        to,
        subject: 'Your password was changed',
        paragraphs: [hello(name), 'the password of your account has just been changed.'],
        action: revokeAction(revokeAccessToken),
        closing: REVOKE_ACCESS_CLOSING,
      }),
    suspiciousLogin: (to, name, device, revokeAccessToken) =>
      renderEmail({
        to,
        subject: 'New login to your account',
        paragraphs: [
          hello(name),
          'your account was used from a device that we have not seen before.',
          `${device.browser} on ${device.os}, address ${device.ipAddress}, ` +
            `${inWords(device.loggedInAt)}.`,
        ],
        action: revokeAction(revokeAccessToken),
        closing: REVOKE_ACCESS_CLOSING,
      }),
    secondFactorChanged: (to, name, { change, revokeAccessToken }) =>
      renderEmail({
        to,
        subject: 'Your second factor was changed',
        paragraphs: [hello(name), `${change}.`],
        action: revokeAction(revokeAccessToken),
        closing: REVOKE_ACCESS_CLOSING,
      }),
    // No name: the owner of this address may not be the owner of the account.
    confirmEmail: (to, token) =>
      renderEmail({
        to,
        subject: 'Confirm your new email address',
        paragraphs: ['Hello,', 'please confirm that your account should use this address.'],
        action: { label: 'Confirm email address', url: page(`/confirm-email/${token}`) },
        closing: 'The link works once, within 24 hours. If you did not ask, ignore this email.',
      }),
    emailChangeRequested: (to, name, { newEmail, revokeAccessToken }) =>
      renderEmail({
        to,
        subject: 'Your email address is about to change',
        paragraphs: [
          hello(name),
          `someone who knows your password asked to change the address of your account to ` +
            `${newEmail}. It changes when that address is confirmed.`,
        ],
        action: revokeAction(revokeAccessToken),
        closing: REVOKE_ACCESS_CLOSING,
      }),
    emailChanged: (to, name, { newEmail, revokeAccessToken, canRevert }) =>
      renderEmail({
        to,
        subject: 'Your email address was changed',
        paragraphs: [hello(name), `the address of your account is now ${newEmail}.`],
        action: revokeAction(revokeAccessToken),
        closing: canRevert
          ? 'If it was you, you do not need to do anything. If it was not, the link restores this ' +
            'address, ends all sessions and makes the password unusable. It works once, within 7 days.'
          : 'If it was you, you do not need to do anything. If it was not, the link ends all ' +
            'sessions and makes the password unusable. It works once, within 7 days.',
      }),
    accountDeletion: (to, name, { erasesAt, revokeAccessToken }) =>
      renderEmail({
        to,
        subject: 'Your account will be deleted',
        paragraphs: [
          hello(name),
          `as you asked, your account and everything in it will be erased on ${inWords(erasesAt)}.`,
          'Until then you can log in and cancel the deletion.',
        ],
        action: revokeAction(revokeAccessToken),
        closing: REVOKE_ACCESS_CLOSING,
      }),
    accountErased: (to, name) =>
      renderEmail({
        to,
        subject: 'Your account has been erased',
        paragraphs: [
          hello(name),
          'your account has been erased, with your notes, short links and webhooks. None of it can ' +
            'be restored.',
        ],
        closing: 'This is our last email: we no longer store this address.',
      }),
    exportReady: (to, name, { url, expiresAt }) =>
      renderEmail({
        to,
        subject: 'Your data is ready',
        paragraphs: [hello(name), 'the copy of your data that you asked for is ready.'],
        action: { label: 'Download', url },
        closing: `The link works until ${inWords(expiresAt)}. Do not share it.`,
      }),
    webhookDisabled: (to, name, { url, reason }) =>
      renderEmail({
        to,
        subject: 'A webhook was disabled',
        paragraphs: [
          hello(name),
          `we no longer send events to ${url}.`,
          `Reason: ${reason}`,
          'Once the receiver works again, enable the webhook and recover what it missed.',
        ],
        action: { label: 'Show webhooks', url: page('/webhooks') },
      }),
  };
}

const REVOKE_ACCESS_CLOSING =
  'If it was you, you do not need to do anything. If it was not, the link ends all sessions, makes the ' +
  'password unusable, removes the second factors and devices that were added since, and sends you a ' +
  'link for a new password. It works once, within 7 days.';

/** The name is '' where someone else may have chosen it. */
function hello(name: string): string {
  return name === '' ? 'Hello,' : `Hello ${name},`;
}

function inWords(timestamp: string): string {
  return new Date(timestamp).toUTCString();
}
