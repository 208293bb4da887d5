import type { GuardedSetting } from '@atrium/contracts/auth/applications';
import type { CollaboratorRole } from '@atrium/contracts/notes/members';
import type { Language } from '@atrium/contracts/auth/profile';
import type { EmailText } from './content.ts';
import { german } from './texts.de.ts';
import { english } from './texts.en.ts';

/** Timestamps are ISO 8601. */
export interface LoginDevice {
  browser: string;
  os: string;
  ipAddress: string;
  loggedInAt: string;
}

export interface WorkspaceInvitation {
  workspaceName: string;
  role: CollaboratorRole;
  inviter: { name: string; username: string };
}

export type FactorChangeKind =
  | 'factor.added'
  | 'factor.removed'
  | 'recovery_codes.renewed'
  | 'recovery_code.used';

export type ApplicationChangeKind = GuardedSetting | 'secretAdded' | 'secretRemoved';

export interface ApplicationChanges {
  applicationName: string;
  changes: readonly ApplicationChangeKind[];
}

/** Every message in one language. The name is '' where someone else may have chosen it. */
export interface EmailTexts {
  verifyEmail(): EmailText;
  emailTaken(name: string): EmailText;
  resetPassword(name: string): EmailText;
  passwordChanged(name: string): EmailText;
  suspiciousLogin(name: string, device: LoginDevice): EmailText;
  secondFactorChanged(name: string, change: FactorChangeKind): EmailText;
  loginProviderChanged(name: string, change: { provider: string; isLinked: boolean }): EmailText;
  applicationChanged(name: string, changed: ApplicationChanges): EmailText;
  confirmEmail(): EmailText;
  emailChangeRequested(name: string, newEmail: string): EmailText;
  emailChanged(name: string, change: { newEmail: string; canRevert: boolean }): EmailText;
  accountDeletion(name: string, erasesAt: string): EmailText;
  accountErased(name: string): EmailText;
  exportReady(name: string, expiresAt: string): EmailText;
  webhookDisabled(name: string, webhook: { url: string; reason: string }): EmailText;
  workspaceInvited(invitation: WorkspaceInvitation): EmailText;
}

export const EMAIL_TEXTS: Record<Language, EmailTexts> = { en: english, de: german };
