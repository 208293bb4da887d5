import type { EmailContent, EmailLinks, EmailText, Recipient } from './content.ts';
import { renderEmail } from './render.ts';
import {
  type ApplicationChanges,
  EMAIL_TEXTS,
  type EmailTexts,
  type FactorChangeKind,
  type LoginDevice,
  type WorkspaceInvitation,
} from './texts.ts';

export type EmailKind =
  | 'verify-email'
  | 'email-taken'
  | 'reset-password'
  | 'password-changed'
  | 'suspicious-login'
  | 'second-factor-changed'
  | 'login-provider-changed'
  | 'application-changed'
  | 'confirm-email'
  | 'email-change-requested'
  | 'email-changed'
  | 'account-deletion'
  | 'account-erased'
  | 'export-ready'
  | 'webhook-disabled'
  | 'workspace-invited';

/**
 * Every message in the language of its recipient. `revokeAccessToken` is the email token with which the
 * owner revokes suspicious access. Timestamps are ISO 8601.
 */
export type EmailTemplates = ReturnType<typeof createEmailTemplates>;

/** @param webUrl start of every link; of what a client sends only the token of an invitation ends up in one */
export function createEmailTemplates(webUrl: string) {
  const page = (path: string) => new URL(path, webUrl).href;
  const notMe = (token: string) => page(`/not-me/${token}`);
  const toInvitation = (token?: string) => (token === undefined ? '' : `?invitation=${token}`);
  const render = (
    to: Recipient,
    textOf: (texts: EmailTexts) => EmailText,
    links: EmailLinks = {},
  ): EmailContent => renderEmail(to, textOf(EMAIL_TEXTS[to.language]), links);

  return {
    /** Without a name: the address is not confirmed yet, so its owner may never have registered. */
    verifyEmail: (
      to: Omit<Recipient, 'name'>,
      tokens: { token: string; revokeAccessToken: string; invitation?: string | undefined },
    ) =>
      render({ ...to, name: '' }, (texts) => texts.verifyEmail(), {
        button: page(`/verify-email/${tokens.token}${toInvitation(tokens.invitation)}`),
        secondary: notMe(tokens.revokeAccessToken),
      }),
    emailTaken: (to: Recipient) =>
      render(to, (texts) => texts.emailTaken(to.name), { button: page('/login') }),
    resetPassword: (to: Recipient, token: string) =>
      render(to, (texts) => texts.resetPassword(to.name), {
        button: page(`/reset-password/${token}`),
      }),
    passwordChanged: (to: Recipient, revokeAccessToken: string) =>
      render(to, (texts) => texts.passwordChanged(to.name), { button: notMe(revokeAccessToken) }),
    suspiciousLogin: (to: Recipient, device: LoginDevice, revokeAccessToken: string) =>
      render(to, (texts) => texts.suspiciousLogin(to.name, device), {
        button: notMe(revokeAccessToken),
      }),
    secondFactorChanged: (
      to: Recipient,
      { change, revokeAccessToken }: { change: FactorChangeKind; revokeAccessToken: string },
    ) =>
      render(to, (texts) => texts.secondFactorChanged(to.name, change), {
        button: notMe(revokeAccessToken),
      }),
    loginProviderChanged: (
      to: Recipient,
      {
        revokeAccessToken,
        ...change
      }: { provider: string; isLinked: boolean; revokeAccessToken: string },
    ) =>
      render(to, (texts) => texts.loginProviderChanged(to.name, change), {
        button: notMe(revokeAccessToken),
      }),
    applicationChanged: (
      to: Recipient,
      {
        applicationId,
        revokeAccessToken,
        ...changed
      }: ApplicationChanges & { applicationId: string; revokeAccessToken: string },
    ) =>
      render(to, (texts) => texts.applicationChanged(to.name, changed), {
        button: notMe(revokeAccessToken),
        secondary: page(`/developers/applications/${applicationId}`),
      }),
    /** To the new address, without a name: its owner may not be the owner of the account. */
    confirmEmail: (to: Omit<Recipient, 'name'>, token: string) =>
      render({ ...to, name: '' }, (texts) => texts.confirmEmail(), {
        button: page(`/confirm-email/${token}`),
      }),
    /** To the current address, when a change is requested. */
    emailChangeRequested: (
      to: Recipient,
      { newEmail, revokeAccessToken }: { newEmail: string; revokeAccessToken: string },
    ) =>
      render(to, (texts) => texts.emailChangeRequested(to.name, newEmail), {
        button: notMe(revokeAccessToken),
      }),
    /** To the previous address, after the change; `canRevert` when the link restores it. */
    emailChanged: (
      to: Recipient,
      change: { newEmail: string; revokeAccessToken: string; canRevert: boolean },
    ) =>
      render(to, (texts) => texts.emailChanged(to.name, change), {
        button: notMe(change.revokeAccessToken),
      }),
    accountDeletion: (
      to: Recipient,
      { erasesAt, revokeAccessToken }: { erasesAt: string; revokeAccessToken: string },
    ) =>
      render(to, (texts) => texts.accountDeletion(to.name, erasesAt), {
        button: page('/login'),
        secondary: notMe(revokeAccessToken),
      }),
    /** The last message, to an address that is no longer stored. */
    accountErased: (to: Recipient) => render(to, (texts) => texts.accountErased(to.name)),
    exportReady: (to: Recipient, { url, expiresAt }: { url: string; expiresAt: string }) =>
      render(to, (texts) => texts.exportReady(to.name, expiresAt), { button: url }),
    webhookDisabled: (to: Recipient, webhook: { url: string; reason: string }) =>
      render(to, (texts) => texts.webhookDisabled(to.name, webhook), { button: page('/webhooks') }),
    /** Without a name: who invites has chosen the address. */
    workspaceInvited: (
      to: Omit<Recipient, 'name'>,
      { token, role, workspaceName, inviter }: WorkspaceInvitation & { token: string },
    ) => {
      const invitation = {
        role,
        workspaceName: unlinked(workspaceName),
        inviter: { name: unlinked(inviter.name), username: unlinked(inviter.username) },
      };
      return render({ ...to, name: '' }, (texts) => texts.workspaceInvited(invitation), {
        button: page(`/invitations/${token}`),
      });
    },
  };
}

/** Mail clients may take these for the dot of a domain: UTS #46 maps them to it. */
const OTHER_DOTS = '\u3002\uff0e\uff61';
const WITHIN_URL = new RegExp(`[.:${OTHER_DOTS}](?=\\S)`, 'g');

/**
 * Text of another account, of which a mail client makes no link: within a URL or domain, an invisible character
 * (zero-width non-joiner) follows each dot and colon.
 */
function unlinked(text: string): string {
  return text.replace(WITHIN_URL, '$&\u200c');
}
