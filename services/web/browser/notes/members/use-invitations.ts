import type { Invitation } from '@atrium/client';
import { queryKeys } from '../../session/query-keys.ts';
import { useList } from '../../ui/lists/use-list.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 100;

export function useInvitations(workspaceId: string) {
  return useList(queryKeys.workspaces.invitations(workspaceId), (query, options) =>
    workspaces.listInvitations(workspaceId, { ...query, limit: PAGE_SIZE }, options),
  );
}

/** Whether an invitation can still be accepted, and so counts for the plan. */
export function isPending({ expiresAt }: Invitation): boolean {
  return Date.parse(expiresAt) > Date.now();
}
