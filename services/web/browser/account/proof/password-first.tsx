import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { loginProviders } from '../../session/login-providers.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';

/** The login providers that are linked to the account, and whether it has a password. */
export function useIdentities() {
  return useQuery({
    queryKey: queryKeys.account.identities,
    queryFn: ({ signal }) => loginProviders.listIdentities({ signal }),
  });
}

/** A dialog that asks for the password. An account without one is shown another dialog in its place. */
export function WithPassword({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const identities = useIdentities();
  return (
    <Loaded query={identities} skeleton={null}>
      {({ hasPassword }) =>
        hasPassword ? children : <PasswordFirstDialog title={title} onClose={onClose} />
      }
    </Loaded>
  );
}

/** Shown in place of a password dialog to an account without a password. */
function PasswordFirstDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const { account, login, proof } = useAllText();
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Text size="sm">{account.security.passwordFirst}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {proof.cancel}
          </Button>
          <ButtonLink to="/forgot-password">{login.forgot}</ButtonLink>
        </Group>
      </Stack>
    </Dialog>
  );
}
