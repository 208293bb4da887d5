import { NameDialog } from '../../ui/dialogs/name-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { useRefreshHistory } from './use-history.ts';

const NAME_LENGTH_MAX = 100;

/** Names the note as its history shows it; one that has changed since is shown anew before it gets the name. */
export function NameVersionDialog({
  note,
  onClose,
}: {
  note: { id: string; etag: string };
  onClose: () => void;
}) {
  const { name: texts } = useSignedInText().history;
  const toast = useToast();
  const refresh = useRefreshHistory(note.id);
  const close = useWhileOpen(onClose);
  return (
    <NameDialog
      title={texts.title}
      explanation={texts.explanation}
      label={texts.label}
      maxLength={NAME_LENGTH_MAX}
      submit={texts.submit}
      onSave={async (name) => {
        try {
          await workspaces.nameVersion(note.id, { name }, { ifMatch: note.etag });
        } finally {
          await refresh();
        }
        toast(texts.done(name));
        close();
      }}
      onClose={onClose}
    />
  );
}
