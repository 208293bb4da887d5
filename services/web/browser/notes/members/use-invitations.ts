import type { Invitation } from '@atrium/client';
import { useList } from '../../ui/lists/use-list.ts';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 100;

export const invitationsKey = (workspaceId: string) => [
  ...WORKSPACES_KEY,
  workspaceId,
  'invitations',
];

export function useInvitations(workspaceId: string) {
  return useList(invitationsKey(workspaceId), (query, options) =>
    workspaces.listInvitations(workspaceId, { ...query, limit: PAGE_SIZE }, options),
  );
}

/** Whether an invitation can still be accepted, and so counts for the plan. */
export function isPending({ expiresAt }: Invitation): boolean {
  return Date.parse(expiresAt) > Date.now();
}
