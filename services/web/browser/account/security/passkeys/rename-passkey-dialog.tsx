import type { Passkey } from '@atrium/client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../../frame/dialog.tsx';
import { errorText } from '../../../frame/error-text.ts';
import { checksOf } from '../../../forms/fields.tsx';
import { focusFirstError, FormError } from '../../../forms/form-errors.tsx';
import { atrium } from '../../../session/atrium.ts';
import { useSignedInText } from '../../../texts/signed-in-texts.tsx';

export const PASSKEY_NAME_LENGTH_MAX = 100;

export function RenamePasskeyDialog({
  passkey,
  onRenamed,
  onClose,
}: {
  passkey: Passkey;
  onRenamed: (name: string) => void;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { passkeys } = text.account.security;
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: passkey.name },
    validate: { name: checksOf(text).required(passkeys.name) },
  });
  const rename = async ({ name }: { name: string }) => {
    setPending(true);
    setFailure(null);
    try {
      const renamed = await atrium.auth.renamePasskey(passkey.id, { name: name.trim() });
      onRenamed(renamed.name);
    } catch (error) {
      setFailure(errorText(error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={passkeys.renameTitle} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void rename(values), focusFirstError(form))}
      >
        <Stack>
          <FormError message={failure} />
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={passkeys.name}
            maxLength={PASSKEY_NAME_LENGTH_MAX}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {passkeys.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
