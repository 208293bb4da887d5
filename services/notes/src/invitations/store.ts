import { invitationContext } from '@atrium/contracts/account-messages';
import { INVITATION_DAYS } from '@atrium/contracts/notes/invitations';
import { newId } from '@atrium/contracts/ids';
import type { CollaboratorRole } from '@atrium/contracts/notes/members';
import { INBOX } from '@atrium/contracts/queues';
import { eraseInBatches } from '@atrium/service-kit/account-data';
import type { Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { permitted, permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import type { Database, Tx } from '../database.ts';
import { createToken } from './token.ts';

// Raw SQL where it invites: expiry by the clock of the database, and a lock on the workspace before its
// collaborators are counted, so that the limit is exact under parallel requests.

export interface InvitationRecord {
  id: string;
  workspaceId: string;
  email: string;
  role: CollaboratorRole;
  createdAt: Date;
  expiresAt: Date;
}

/** The account that invites, and the workspace. `limit`: how many collaborators it can have. */
export interface Inviter {
  workspaceId: string;
  accountId: string;
  limit: number;
  /** Keys for what only auth may read of the message. */
  messageKeys: KeyRing;
}

export type InviteOutcome =
  | { kind: 'sent'; invitation: InvitationRecord }
  | { kind: 'missing' }
  | { kind: 'full' }
  | { kind: 'duplicate' };

const COLUMNS = `
  id, workspace_id AS "workspaceId", email, role, created_at AS "createdAt",
  expires_at AS "expiresAt"`;
const EXPIRY = `now() + make_interval(days => ${INVITATION_DAYS})`;

const LOCK = `
  SELECT name FROM workspaces WHERE id = $1 AND ${permittedSql('$2', 'manageMembers')} FOR UPDATE`;

/** Counts collaborators and invitations, but none to $2. */
const COUNT = `
  SELECT (SELECT count(*) FROM members WHERE workspace_id = $1 AND role <> 'owner')
    + (SELECT count(*) FROM invitations
       WHERE workspace_id = $1 AND email <> $2 AND expires_at > now()) AS taken`;

/** An expired invitation to the same email address gives way. */
const INSERT = `
  INSERT INTO invitations AS i (id, workspace_id, email, role, token_hash, expires_at)
  VALUES ($1, $2, $3, $4, $5, ${EXPIRY})
  ON CONFLICT (workspace_id, email) DO UPDATE SET id = excluded.id, role = excluded.role,
    token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at
  WHERE i.expires_at <= now()
  RETURNING ${COLUMNS}`;

const FIND_EMAIL = 'SELECT email FROM invitations WHERE workspace_id = $1 AND id = $2';
const RENEW = `
  UPDATE invitations SET token_hash = $3, expires_at = ${EXPIRY}
  WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`;

async function lockWorkspace(tx: Sql, { workspaceId, accountId }: Inviter) {
  const [workspace] = await tx.query<{ name: string }>(LOCK, [workspaceId, accountId]);
  return workspace;
}

async function isFull(tx: Sql, { workspaceId, limit }: Inviter, email: string): Promise<boolean> {
  const [row] = await tx.query<{ taken: string }>(COUNT, [workspaceId, email]);
  return Number(row?.taken) >= limit;
}

async function sendEmail(
  tx: Tx,
  { accountId, messageKeys }: Inviter,
  { email, role }: InvitationRecord,
  { token, workspaceName }: { token: string; workspaceName: string },
): Promise<void> {
  const sealed = messageKeys.encrypt(token, invitationContext(email));
  const data = { email, workspaceName, role, token: sealed };
  await tx.append({ queue: INBOX.auth, kind: 'workspace.invited', accountId, data });
}

/** @param to.email in lower case */
export async function createInvitation(
  tx: Tx,
  inviter: Inviter,
  to: { email: string; role: CollaboratorRole },
): Promise<InviteOutcome> {
  const workspace = await lockWorkspace(tx, inviter);
  if (workspace === undefined) return { kind: 'missing' };
  if (await isFull(tx, inviter, to.email)) return { kind: 'full' };
  const { token, tokenHash } = createToken();
  const values = [newId('inv'), inviter.workspaceId, to.email, to.role, tokenHash];
  const [invitation] = await tx.query<InvitationRecord>(INSERT, values);
  if (invitation === undefined) return { kind: 'duplicate' };
  await sendEmail(tx, inviter, invitation, { token, workspaceName: workspace.name });
  const { workspaceId, accountId } = inviter;
  await recordActivity(tx, { kind: 'member.invited', workspaceId, accountId, role: to.role });
  return { kind: 'sent', invitation };
}

/** Sends a new link, which works for another 7 days; the one before stops working. */
export async function resendInvitation(
  tx: Tx,
  inviter: Inviter,
  invitationId: string,
): Promise<InviteOutcome> {
  const { workspaceId } = inviter;
  const workspace = await lockWorkspace(tx, inviter);
  const [found] = await tx.query<{ email: string }>(FIND_EMAIL, [workspaceId, invitationId]);
  if (workspace === undefined || found === undefined) return { kind: 'missing' };
  if (await isFull(tx, inviter, found.email)) return { kind: 'full' };
  const { token, tokenHash } = createToken();
  const values = [workspaceId, invitationId, tokenHash];
  const [invitation] = await tx.query<InvitationRecord>(RENEW, values);
  if (invitation === undefined) return { kind: 'missing' };
  await sendEmail(tx, inviter, invitation, { token, workspaceName: workspace.name });
  return { kind: 'sent', invitation };
}

/** Newest first. */
export async function listInvitations(
  { prisma }: Database,
  workspaceId: string,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<InvitationRecord[]> {
  const rows = await prisma.invitation.findMany({
    where: { workspaceId, ...(beforeId !== undefined && { id: { lt: beforeId } }) },
    orderBy: { id: 'desc' },
    take: limit,
    omit: { tokenHash: true },
  });
  // The table allows no other role.
  return rows as InvitationRecord[];
}

export async function findInvitedEmail(
  { prisma }: Database,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const where = { id, workspaceId };
  return (await prisma.invitation.findFirst({ where, select: { email: true } }))?.email;
}

/** @returns whether there was one that the account may revoke */
export async function revokeInvitation(
  { prisma }: Database,
  given: { workspaceId: string; invitationId: string; accountId: string },
): Promise<boolean> {
  const { workspaceId, invitationId: id, accountId } = given;
  const workspace = permitted(accountId, 'manageMembers');
  const { count } = await prisma.invitation.deleteMany({ where: { id, workspaceId, workspace } });
  return count > 0;
}

const PURGE = `
  DELETE FROM invitations WHERE id = ANY (ARRAY(
    SELECT id FROM invitations WHERE expires_at < now() - make_interval(days => $1) LIMIT $2
  )) RETURNING id`;

/** Deletes invitations that expired long enough ago that nobody will have them sent again. */
export function purgeInvitations(sql: Sql, signal?: AbortSignal): Promise<void> {
  return eraseInBatches(sql, PURGE, [INVITATION_DAYS], { signal });
}
