export type MailKind =
  | 'verify-email'
  | 'email-taken'
  | 'reset-password'
  | 'password-changed'
  | 'suspicious-login';

/** A mail ready to be sent. `link` is repeated apart, for the log of a machine without SMTP. */
export interface MailContent {
  to: string;
  subject: string;
  text: string;
  html: string;
  link: string | null;
}

interface Letter {
  to: string;
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  closing?: string;
}

export interface MailTemplates {
  verifyEmail(to: string, token: string): MailContent;
  emailTaken(to: string, name: string): MailContent;
  resetPassword(to: string, name: string, token: string): MailContent;
  passwordChanged(to: string, name: string): MailContent;
  suspiciousLogin(to: string, name: string, device: LoginDevice): MailContent;
}

export interface LoginDevice {
  browser: string;
  os: string;
  ipAddress: string;
  loggedInAt: string;
}

export function createTemplates(webUrl: string): MailTemplates {
  const page = (path: string) => new URL(path, webUrl).href;
  return {
    // Without the name: whoever registers somebody else's address chose it.
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
          `Hello ${name},`,
          'somebody tried to register with this address, which already has an account.',
          'If it was you, log in instead; if you have forgotten the password, ask for a new one.',
        ],
        action: { label: 'Log in', url: page('/login') },
        closing: 'If it was not you, there is nothing to do.',
      }),
    resetPassword: (to, name, token) =>
      render({
        to,
        subject: 'Reset your password',
        paragraphs: [`Hello ${name},`, 'somebody asked for a new password for your account.'],
        action: { label: 'Choose a new password', url: page(`/reset-password/${token}`) },
        closing:
          'The link works once and for 30 minutes. If you did not ask for it, ignore this mail.',
      }),
    passwordChanged: (to, name) =>
      render({
        to,
        subject: 'Your password was changed',
        paragraphs: [`Hello ${name},`, 'the password of your account has just been changed.'],
        action: { label: 'It was not me', url: page('/forgot-password') },
      }),
    suspiciousLogin: (to, name, device) =>
      render({
        to,
        subject: 'New login to your account',
        paragraphs: [
          `Hello ${name},`,
          'your account was used from a device that we have not seen before.',
          `${device.browser} on ${device.os}, address ${device.ipAddress}, ${device.loggedInAt}.`,
        ],
        action: { label: 'It was not me', url: page('/forgot-password') },
        closing: 'If it was you, there is nothing to do.',
      }),
  };
}

function render({ to, subject, paragraphs, action, closing }: Letter): MailContent {
  const end = closing === undefined ? [] : [closing];
  const text = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...end,
  ];
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(action === undefined
      ? []
      : [`<p><a href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p>`]),
    ...end.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
  ];
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html.join('\n')}\n</body></html>\n`,
    link: action?.url ?? null,
  };
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
