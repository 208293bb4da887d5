import type { ActivityKind } from '@atrium/contracts/activity';
import type { CollaboratorRole } from '@atrium/contracts/members';
import type { Database } from '../database.ts';
import type { Activity } from '../generated/client.ts';

export interface ActivityRecord extends Omit<Activity, 'kind' | 'role'> {
  kind: ActivityKind;
  role: CollaboratorRole | null;
}

export interface ActivityStore {
  /** Newest first, only those older than `beforeId` when it is given. */
  list(workspaceId: string, limit: number, beforeId?: string): Promise<ActivityRecord[]>;
}

export function createActivityStore({ prisma }: Database): ActivityStore {
  return {
    async list(workspaceId, limit, beforeId) {
      const rows = await prisma.activity.findMany({
        where: { workspaceId, ...(beforeId !== undefined && { id: { lt: beforeId } }) },
        orderBy: { id: 'desc' },
        take: limit,
      });
      // Written by recordActivity only.
      return rows as ActivityRecord[];
    },
  };
}
