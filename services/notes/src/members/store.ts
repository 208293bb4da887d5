import type { CollaboratorRole, Role } from '@atrium/contracts/notes/members';
import type { Origin } from '@atrium/service-kit/database';
import type { TimePosition } from '@atrium/service-kit/pagination';
import { type Permission, permitted } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import type { Database } from '../database.ts';

export interface MemberRecord {
  userId: string;
  role: Role;
  joinedAt: Date;
}

/** The account that makes a change, and the member of the workspace that it is about. */
interface MemberChange {
  workspaceId: string;
  requesterId: string;
  userId: string;
  origin: Origin;
}

export interface MemberStore {
  /** The longest-standing first. */
  list(workspaceId: string, limit: number, after?: TimePosition): Promise<MemberRecord[]>;
  find(workspaceId: string, userId: string): Promise<MemberRecord | null>;
  /** Null when there is no such collaborator; the owner is none. */
  changeRole(change: MemberChange, role: CollaboratorRole): Promise<MemberRecord | null>;
  remove(change: MemberChange, permission: Permission): Promise<'removed' | 'missing'>;
}

const FIELDS = { accountId: true, role: true, joinedAt: true } as const;

function toRecord(row: { accountId: string; role: string; joinedAt: Date }): MemberRecord {
  // The table allows no other role.
  return { userId: row.accountId, role: row.role as Role, joinedAt: row.joinedAt };
}

/** The row of a collaborator, if the requester may change it. */
function chosen({ workspaceId, requesterId, userId }: MemberChange, permission: Permission) {
  const workspace = permitted(requesterId, permission);
  return { workspaceId, accountId: userId, role: { not: 'owner' }, workspace };
}

function activityOf({ workspaceId, requesterId, userId }: MemberChange) {
  return { workspaceId, accountId: requesterId, memberId: userId };
}

export function createMemberStore(database: Database): MemberStore {
  const { prisma } = database;
  return {
    async list(workspaceId, limit, after) {
      const later = after && [
        { joinedAt: { gt: after.time } },
        { joinedAt: after.time, accountId: { gt: after.id } },
      ];
      const members = await prisma.member.findMany({
        where: { workspaceId, ...(later && { OR: later }) },
        orderBy: [{ joinedAt: 'asc' }, { accountId: 'asc' }],
        take: limit,
        select: FIELDS,
      });
      return members.map(toRecord);
    },
    async find(workspaceId, accountId) {
      const member = await prisma.member.findFirst({
        where: { workspaceId, accountId },
        select: FIELDS,
      });
      return member && toRecord(member);
    },
    changeRole(change, role) {
      return database.transaction(change.origin, async (tx) => {
        const [member] = await tx.prisma.member.updateManyAndReturn({
          where: chosen(change, 'manageMembers'),
          data: { role },
          select: FIELDS,
        });
        if (member === undefined) return null;
        await recordActivity(tx, { ...activityOf(change), kind: 'member.role_changed', role });
        return toRecord(member);
      });
    },
    remove(change, permission) {
      return database.transaction(change.origin, async (tx) => {
        const { count } = await tx.prisma.member.deleteMany({ where: chosen(change, permission) });
        if (count === 0) return 'missing';
        await recordActivity(tx, { ...activityOf(change), kind: 'member.removed' });
        const { userId: accountId, workspaceId } = change;
        await tx.prisma.favourite.deleteMany({ where: { accountId, note: { workspaceId } } });
        return 'removed';
      });
    },
  };
}
