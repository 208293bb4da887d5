import type { Member, Page } from '@atrium/client';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

/** The owner's role changes with a transfer only. */
export type CollaboratorRole = Exclude<Member['role'], 'owner'>;

const PAGE_SIZE = 100;

export function useMembers(workspaceId: string) {
  return useList(queryKeys.workspaces.members(workspaceId), (query, options) =>
    workspaces.listMembers(workspaceId, { ...query, limit: PAGE_SIZE }, options),
  );
}

/** Changes a role; it shows at once, and is taken back when the service refuses it. */
export function useChangeRole(workspaceId: string) {
  const text = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const key = queryKeys.workspaces.members(workspaceId);
  const show = (userId: string, role: CollaboratorRole) =>
    queryClient.setQueryData<InfiniteData<Page<Member>>>(key, (current) => {
      if (current === undefined) return current;
      const change = (member: Member) => (member.userId === userId ? { ...member, role } : member);
      return { ...current, pages: current.pages.map((p) => ({ ...p, data: p.data.map(change) })) };
    });

  /** @param name of the member, for the message */
  async function changeRole(
    { userId, role: before }: { userId: string; role: CollaboratorRole },
    role: CollaboratorRole,
    name: string,
  ): Promise<void> {
    await queryClient.cancelQueries({ queryKey: key });
    show(userId, role);
    try {
      await workspaces.changeMember(workspaceId, userId, { role });
      toast(text.members.changed[role](name), {
        undo: () => void changeRole({ userId, role }, before, name),
      });
    } catch (error) {
      show(userId, before);
      showError(error);
    }
    await queryClient.invalidateQueries({ queryKey: key });
  }
  return changeRole;
}
