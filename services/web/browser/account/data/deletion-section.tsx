import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../ui/error-text.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { ExactTime } from '../../ui/times/time.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** Deletes the account, or keeps one that is about to be deleted. */
export function DeletionSection() {
  const { data } = useAllText().account;
  const [isOpen, setOpen] = useState(false);
  const deletion = useQuery({
    queryKey: queryKeys.account.deletion,
    queryFn: ({ signal }) => atrium.auth.getAccountDeletion({ signal }),
  });
  return (
    <Section title={data.delete} hint={data.deleteHint}>
      <Loaded query={deletion} skeleton={<Skeleton h={36} w={160} />}>
        {({ erasesAt }) =>
          erasesAt === null ? (
            <Button variant="outline" color="red" onClick={() => setOpen(true)}>
              {data.delete}
            </Button>
          ) : (
            <Restore erasesAt={erasesAt} onRestored={() => void deletion.refetch()} />
          )
        }
      </Loaded>
      {isOpen && <DeleteAccountDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Restore({ erasesAt, onRestored }: { erasesAt: string; onRestored: () => void }) {
  const text = useAllText();
  const { data } = text.account;
  const toast = useToast();
  const restore = useMutation({
    mutationFn: () => atrium.auth.restoreCurrentUser(),
    onSuccess: () => {
      toast(data.restored);
      onRestored();
    },
  });
  return (
    <Alert color="red" title={data.scheduled}>
      <Stack align="flex-start" gap="sm">
        <ExactTime value={erasesAt} />
        <FormError message={restore.isError ? errorText(restore.error, text) : null} />
        <Button loading={restore.isPending} onClick={() => restore.mutate()}>
          {data.restore}
        </Button>
      </Stack>
    </Alert>
  );
}
