import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loginProviders } from '../../session/login-providers.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

/** With whom the account is linked, and whether it has a password. */
export function useIdentities() {
  return useQuery({
    queryKey: queryKeys.account.identities,
    queryFn: ({ signal }) => loginProviders.listIdentities({ signal }),
  });
}

/** Whether the account has a password, as most do: so until the answer is there. */
export function useHasPassword(): boolean {
  return useIdentities().data?.hasPassword ?? true;
}

/** Instead of a dialog that asks for a password, to whoever has none. */
export function PasswordFirstDialog({ title, onClose }: { title: string; onClose: () => void }) {
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
