import type { ActivityKind } from '@atrium/contracts/notes/activity';
import type { CollaboratorRole } from '@atrium/contracts/notes/members';
import type { Queries } from '../database.ts';
import type { Activity } from '../generated/client.ts';

export interface ActivityRecord extends Omit<Activity, 'kind' | 'role'> {
  kind: ActivityKind;
  role: CollaboratorRole | null;
}

/** Newest first, only those older than `beforeId` when it is given. */
export async function listActivities(
  { prisma }: Pick<Queries, 'prisma'>,
  workspaceId: string,
  limit: number,
  beforeId?: string,
): Promise<ActivityRecord[]> {
  const rows = await prisma.activity.findMany({
    where: { workspaceId, ...(beforeId !== undefined && { id: { lt: beforeId } }) },
    orderBy: { id: 'desc' },
    take: limit,
  });
  // Written by recordActivity only.
  return rows as ActivityRecord[];
}
