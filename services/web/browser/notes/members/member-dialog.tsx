import type { Workspace } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryKeys } from '../../session/query-keys.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

export type MemberChange = 'remove' | 'leave' | 'transfer';

/** Asks before somebody loses access or the workspace gets another owner. */
export function MemberDialog({
  change,
  workspace: { id, name: workspace },
  member: { userId, name },
  onClose,
}: {
  change: MemberChange;
  workspace: Workspace;
  member: { userId: string; name: string };
  onClose: () => void;
}) {
  const texts = useSignedInText().members[change];
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const confirm = async () => {
    if (change === 'transfer') await workspaces.transferWorkspace(id, { userId });
    else await workspaces.removeMember(id, userId);
    toast(texts.done(name, workspace));
    if (change === 'leave') await navigate({ to: '/notes' });
    await reload(queryClient, { queryKey: queryKeys.workspaces.all });
  };
  return (
    <ConfirmDialog
      title={texts.title(name, workspace)}
      explanation={texts.explanation(name, workspace)}
      submit={texts.submit}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
