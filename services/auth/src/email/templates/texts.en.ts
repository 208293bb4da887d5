import type { EmailTexts } from './texts.ts';

const NOT_ME = 'This was not me';
const LINK_ENDS_ACCESS =
  'If it was you, there is nothing to do. If it was not, the link ends all sessions, revokes all ' +
  'applications and access tokens, makes the password unusable, removes the second factors and devices ' +
  'added since, and sends you a link for a new password.';
const LINK_EXPIRES = 'It works once, within 7 days.';
const IF_NOT_YOU = `${LINK_ENDS_ACCESS} ${LINK_EXPIRES}`;

const FACTOR_CHANGES = {
  'factor.added': 'A second factor was added to your account.',
  'factor.removed': 'A second factor was removed from your account.',
  'recovery_codes.renewed': 'New recovery codes were made for your account.',
  'recovery_code.used': 'A recovery code was used to log in to your account.',
};

const APPLICATION_CHANGES = {
  redirectUrls: 'Redirect URLs',
  postLogoutUrls: 'URLs after logging out',
  backchannelLogoutUrl: 'Back-channel logout URL',
  scopes: 'Scopes',
  secretAdded: 'New secret',
  secretRemoved: 'Removed secret',
};

const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`);

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const time = (timestamp: string) => `${timeFormat.format(new Date(timestamp))} UTC`;

export const english: EmailTexts = {
  verifyEmail: () => ({
    subject: 'Verify your email address',
    paragraphs: ['Hello,', 'Please confirm that this email address is yours.'],
    button: 'Verify email',
    closing:
      'The link works for 24 hours. If you did not sign up, someone else used your email address: the ' +
      'link below ends their access.',
    secondary: NOT_ME,
  }),
  emailTaken: (name) => ({
    subject: 'You already have an account',
    paragraphs: [
      hello(name),
      'Someone tried to use this email address for another account, but it already has one.',
      'If it was you, log in instead. If you have forgotten the password, ask for a new one there.',
    ],
    button: 'Log in',
    closing: 'If it was not you, there is nothing to do.',
  }),
  resetPassword: (name) => ({
    subject: 'Reset your password',
    paragraphs: [hello(name), 'A new password was requested for your account.'],
    button: 'Set new password',
    closing:
      'The link works once, within 30 minutes. If you did not ask for it, ignore this email.',
  }),
  passwordChanged: (name) => ({
    subject: 'Your password was changed',
    paragraphs: [hello(name), 'The password of your account has just been changed.'],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  suspiciousLogin: (name, { browser, os, ipAddress, loggedInAt }) => ({
    subject: 'New login to your account',
    paragraphs: [hello(name), 'Your account was used from a device that we have not seen before.'],
    facts: [
      ['Device', `${browser} on ${os}`],
      ['IP address', ipAddress],
      ['Time', time(loggedInAt)],
    ],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  secondFactorChanged: (name, change) => ({
    subject:
      change === 'recovery_code.used'
        ? 'A recovery code was used'
        : 'Your second factor was changed',
    paragraphs: [hello(name), FACTOR_CHANGES[change]],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  loginProviderChanged: (name, { provider, isLinked }) => ({
    subject: isLinked
      ? `Your account is linked with ${provider}`
      : `Your account is no longer linked with ${provider}`,
    paragraphs: [
      hello(name),
      isLinked
        ? `One can now log in to your account with ${provider}.`
        : `One can no longer log in to your account with ${provider}.`,
    ],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  applicationChanged: (name, { applicationName, changes }) => ({
    subject: 'Your application was changed',
    paragraphs: [hello(name), 'An application that you registered was changed.'],
    facts: [
      ['Application', applicationName],
      ['Change', changes.map((change) => APPLICATION_CHANGES[change]).join(', ')],
    ],
    button: NOT_ME,
    closing: `${LINK_ENDS_ACCESS} It does not undo the change, so check the application afterwards. ${LINK_EXPIRES}`,
    secondary: 'Show the application',
  }),
  confirmEmail: () => ({
    subject: 'Confirm your new email address',
    paragraphs: ['Hello,', 'Please confirm that your account should use this email address.'],
    button: 'Confirm email',
    closing: 'The link works once, within 24 hours. If you did not ask for it, ignore this email.',
  }),
  emailChangeRequested: (name, newEmail) => ({
    subject: 'Your email address is about to change',
    paragraphs: [
      hello(name),
      'Someone who knows your password asked to change the email address of your account. It changes ' +
        'when the new email address is confirmed.',
    ],
    facts: [['New email address', newEmail]],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  emailChanged: (name, { newEmail, canRevert }) => ({
    subject: 'Your email address was changed',
    paragraphs: [hello(name), 'The email address of your account was changed.'],
    facts: [['New email address', newEmail]],
    button: NOT_ME,
    closing: canRevert
      ? 'If it was you, there is nothing to do. If it was not, the link restores this email address, ' +
        'ends all sessions, revokes all applications and access tokens, and makes the password unusable. ' +
        'It works once, within 7 days.'
      : 'If it was you, there is nothing to do. If it was not, the link ends all sessions, revokes all ' +
        'applications and access tokens, and makes the password unusable. It works once, within 7 days.',
  }),
  accountDeletion: (name, erasesAt) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      hello(name),
      'As you asked, your account and everything in it will be erased. Until then you can log in and ' +
        'restore it.',
      'Access tokens and the access of applications have ended already. Restoring the account does not ' +
        'bring them back.',
      'A workspace that you share passes to the editor who has been there longest. One without another ' +
        'editor is erased.',
    ],
    facts: [['Will be erased on', time(erasesAt)]],
    button: 'Log in',
    closing:
      'If you did not ask for it, the link below keeps the account and ends all access to it.',
    secondary: NOT_ME,
  }),
  accountErased: (name) => ({
    subject: 'Your account has been erased',
    paragraphs: [
      hello(name),
      'Your account has been erased, with your notes, short links and webhooks. None of it can be ' +
        'restored.',
    ],
    closing: 'This is our last email: we no longer store this email address.',
  }),
  exportReady: (name, expiresAt) => ({
    subject: 'Your data is ready',
    paragraphs: [hello(name), 'The copy of your data that you asked for is ready.'],
    button: 'Download',
    closing: `The link works until ${time(expiresAt)}. Do not share it.`,
  }),
  webhookDisabled: (name, { url, reason }) => ({
    subject: 'A webhook was disabled',
    paragraphs: [hello(name), 'We no longer send events to one of your webhooks.'],
    facts: [
      ['Webhook', url],
      ['Reason', reason],
    ],
    button: 'Show webhooks',
    closing: 'The page of the webhook says what to do next.',
  }),
  workspaceInvited: ({ workspaceName, role, inviter }) => ({
    subject: 'You are invited to a workspace',
    paragraphs: ['Hello,', 'Someone would like to share a workspace with you.'],
    facts: [
      ['Workspace', workspaceName],
      ['Invited by', `${inviter.name} (${inviter.username})`],
      ['You may', role === 'editor' ? 'read and write the notes' : 'read the notes'],
    ],
    button: 'Show invitation',
    closing:
      'The link works once, within 7 days, for an account with this email address. If you do not know ' +
      'the sender, ignore this email.',
  }),
};
