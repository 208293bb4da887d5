import { type EmailContent, render } from './content.ts';

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

/** Every mail there is. `revokeAccessToken` is a link token with which the owner ends all sessions. */
export interface EmailTemplates {
  verifyEmail(to: string, token: string): EmailContent;
  emailTaken(to: string, name: string): EmailContent;
  resetPassword(to: string, name: string, token: string): EmailContent;
  passwordChanged(to: string, name: string, revokeAccessToken: string): EmailContent;
  suspiciousLogin(
    to: string,
    name: string,
    device: LoginDevice,
    revokeAccessToken: string,
  ): EmailContent;
  /** @param notice.change what happened, as the rest of a sentence that begins with "Hello" */
  secondFactorChanged(
    to: string,
    name: string,
    notice: { change: string; revokeAccessToken: string },
  ): EmailContent;
  /** To the new address. */
  confirmEmail(to: string, token: string): EmailContent;
  /** To the present address, when a change is asked for. */
  emailChangeRequested(to: string, name: string, change: EmailChangeNotice): EmailContent;
  /** To the former address, once it was changed. */
  emailChanged(to: string, name: string, change: EmailChangedNotice): EmailContent;
  /** @param deletion.erasesAt ISO 8601 */
  accountDeletion(
    to: string,
    name: string,
    deletion: { erasesAt: string; revokeAccessToken: string },
  ): EmailContent;
  /** The last one, to an address that is not kept any more. */
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
  /** Whether the link brings the former address back. */
  canRevert: boolean;
}

/** @param webUrl where people click; nothing that a client sends takes part in a link */
export function createEmailTemplates(webUrl: string): EmailTemplates {
  const page = (path: string) => new URL(path, webUrl).href;
  const notMe = (token: string) => ({ label: 'This was not me', url: page(`/not-me/${token}`) });
  return {
    // Without the name: nobody has confirmed the address yet.
    verifyEmail: (to, token) =>
      render({
        to,
        subject: 'Verify your email address',
        paragraphs: ['Hello,', 'please confirm that this address is yours.'],
        action: { label: 'Verify email address', url: page(`/verify-email/${token}`) },
        closing: 'The link works for 24 hours. If you did not sign up, ignore this mail.',
      }),
    emailTaken: (to, name) =>
      render({
        to,
        subject: 'You already have an account',
        paragraphs: [
          hello(name),
          'somebody tried to use this address for another account, but it already has one.',
          'If it was you, log in instead; if you have forgotten the password, ask for a new one.',
        ],
        action: { label: 'Log in', url: page('/login') },
        closing: 'If it was not you, there is nothing to do.',
      }),
    resetPassword: (to, name, token) =>
      render({
        to,
        subject: 'Reset your password',
        paragraphs: [hello(name), 'somebody asked for a new password for your account.'],
        action: { label: 'Choose a new password', url: page(`/reset-password/${token}`) },
        closing:
          'The link works once and for 30 minutes. If you did not ask for it, ignore this mail.',
      }),
    passwordChanged: (to, name, revokeAccessToken) =>
      render({
        to,
        subject: 'Your password was changed',
        paragraphs: [hello(name), 'the password of your account has just been changed.'],
        action: notMe(revokeAccessToken),
        closing: NOT_ME_CLOSING,
      }),
    suspiciousLogin: (to, name, device, revokeAccessToken) =>
      render({
        to,
        subject: 'New login to your account',
        paragraphs: [
          hello(name),
          'your account was used from a device that we have not seen before.',
          `${device.browser} on ${device.os}, address ${device.ipAddress}, ` +
            `${inWords(device.loggedInAt)}.`,
        ],
        action: notMe(revokeAccessToken),
        closing: NOT_ME_CLOSING,
      }),
    secondFactorChanged: (to, name, { change, revokeAccessToken }) =>
      render({
        to,
        subject: 'Your second factor was changed',
        paragraphs: [hello(name), `${change}.`],
        action: notMe(revokeAccessToken),
        closing: NOT_ME_CLOSING,
      }),
    // Without the name: whose address it is remains to be seen.
    confirmEmail: (to, token) =>
      render({
        to,
        subject: 'Confirm your new email address',
        paragraphs: ['Hello,', 'please confirm that your account should use this address.'],
        action: { label: 'Confirm email address', url: page(`/confirm-email/${token}`) },
        closing: 'The link works once and for 24 hours. If you did not ask, ignore this mail.',
      }),
    emailChangeRequested: (to, name, { newEmail, revokeAccessToken }) =>
      render({
        to,
        subject: 'Your email address is about to change',
        paragraphs: [
          hello(name),
          `somebody who knows your password asked to change the address of your account to ` +
            `${newEmail}. It changes when that address is confirmed.`,
        ],
        action: notMe(revokeAccessToken),
        closing: NOT_ME_CLOSING,
      }),
    emailChanged: (to, name, { newEmail, revokeAccessToken, canRevert }) =>
      render({
        to,
        subject: 'Your email address was changed',
        paragraphs: [hello(name), `the address of your account is now ${newEmail}.`],
        action: notMe(revokeAccessToken),
        closing: canRevert
          ? 'If it was you, there is nothing to do. If it was not, the link brings this address ' +
            'back and ends all sessions; it works once and for 7 days.'
          : 'If it was you, there is nothing to do. If it was not, the link ends all sessions; it ' +
            'works once and for 7 days.',
      }),
    accountDeletion: (to, name, { erasesAt, revokeAccessToken }) =>
      render({
        to,
        subject: 'Your account will be deleted',
        paragraphs: [
          hello(name),
          `as you asked, your account and everything in it will be erased on ${inWords(erasesAt)}.`,
          'Until then you can log in and cancel the deletion.',
        ],
        action: notMe(revokeAccessToken),
        closing: NOT_ME_CLOSING,
      }),
    accountErased: (to, name) =>
      render({
        to,
        subject: 'Your account has been erased',
        paragraphs: [
          hello(name),
          'your account has been erased. Your notes, short links and webhooks go with it, and none of ' +
            'it can be brought back.',
        ],
        closing: 'This is our last mail: we do not keep this address any more.',
      }),
    exportReady: (to, name, { url, expiresAt }) =>
      render({
        to,
        subject: 'Your data is ready',
        paragraphs: [hello(name), 'the copy of your data that you asked for is ready.'],
        action: { label: 'Download', url },
        closing: `The link works until ${inWords(expiresAt)}. Keep it to yourself.`,
      }),
    webhookDisabled: (to, name, { url, reason }) =>
      render({
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

const NOT_ME_CLOSING =
  'If it was you, there is nothing to do. If it was not, the link ends all sessions, removes second ' +
  'factors and devices that came with this or later, and mails you a way to a new password; it works ' +
  'once and for 7 days.';

/** A name that somebody else may have chosen is left out, and comes as ''. */
function hello(name: string): string {
  return name === '' ? 'Hello,' : `Hello ${name},`;
}

function inWords(timestamp: string): string {
  return new Date(timestamp).toUTCString();
}
