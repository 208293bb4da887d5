import type { Passkey } from '@atrium/client';
import { NameDialog } from '../../../ui/dialogs/name-dialog.tsx';
import { atrium } from '../../../session/atrium.ts';
import { useAllText } from '../../../texts/signed-in-texts.tsx';

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
  const { passkeys } = useAllText().account.security;
  return (
    <NameDialog
      title={passkeys.renameTitle}
      label={passkeys.name}
      initialName={passkey.name}
      maxLength={PASSKEY_NAME_LENGTH_MAX}
      submit={passkeys.save}
      onSave={async (name) => {
        const renamed = await atrium.auth.renamePasskey(passkey.id, { name });
        onRenamed(renamed.name);
      }}
      onClose={onClose}
    />
  );
}
