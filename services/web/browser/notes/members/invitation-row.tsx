import type { Invitation } from '@atrium/client';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Time } from '../../ui/times/time.tsx';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import classes from './members.module.css';
import { isPending } from './use-invitations.ts';

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { invitations: texts, roles } = useSignedInText().members;
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const [isRevoking, setRevoking] = useState(false);
  const { id, workspaceId, email, role, expiresAt } = invitation;
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: queryKeys.workspaces.invitations(workspaceId) });
  const resend = useMutation({
    mutationFn: () => workspaces.resendInvitation(workspaceId, id),
    onSuccess: () => {
      toast(texts.sent(email));
      return refresh();
    },
    onError: showError,
  });
  return (
    <li className={rows.item}>
      <div className={classes.member}>
        <div className={classes.email}>
          <Group gap="xs">
            <Text fw={500}>{email}</Text>
            {!isPending(invitation) && (
              <Badge variant="dot" color="red">
                {texts.expired}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {roles[role]}
            {isPending(invitation) && (
              <>
                {' · '}
                {texts.expires} <Time value={expiresAt} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            aria-label={texts.resendTo(email)}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {texts.resend}
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-label={texts.revokeOf(email)}
            onClick={() => setRevoking(true)}
          >
            {texts.revoke}
          </Button>
        </Group>
      </div>
      {isRevoking && (
        <ConfirmDialog
          title={texts.revokeTitle(email)}
          explanation={texts.revokeExplanation}
          submit={texts.revokeSubmit}
          onClose={() => setRevoking(false)}
          onConfirm={async () => {
            await workspaces.revokeInvitation(workspaceId, id);
            toast(texts.revoked(email));
            await refresh();
          }}
        />
      )}
    </li>
  );
}
