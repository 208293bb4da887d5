import { NameDialog } from '../../ui/dialogs/name-dialog.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { useRefreshHistory } from './use-history.ts';

const NAME_LENGTH_MAX = 100;

/** Names the note as it is, so that one finds it again. */
export function NameVersionDialog({ noteId, onClose }: { noteId: string; onClose: () => void }) {
  const { name: texts } = useSignedInText().history;
  const toast = useToast();
  const refresh = useRefreshHistory(noteId);
  return (
    <NameDialog
      title={texts.title}
      explanation={texts.explanation}
      label={texts.label}
      maxLength={NAME_LENGTH_MAX}
      submit={texts.submit}
      onSave={async (name) => {
        await workspaces.nameVersion(noteId, { name });
        await refresh();
        toast(texts.done(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
