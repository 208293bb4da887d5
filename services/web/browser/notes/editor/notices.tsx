import { Alert } from '@mantine/core';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import type { SavingState } from '../saving/saver.ts';
import { CollisionNotice } from './collision-notice.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import { ReadOnlyNotice } from './read-only-notice.tsx';

/** Says what keeps a text from being saved, or from being kept on this device. */
export function Notices({ note, saving }: { note: OpenNote; saving: SavingState }) {
  const text = useSignedInText().notes.saving;
  return (
    <>
      {!note.keepsDrafts && (
        <Alert color="orange" variant="default" title={text.noDraftsTitle} role="status">
          {text.noDraftsExplanation}
        </Alert>
      )}
      {saving.kind === 'conflict' && <CollisionNotice note={note} />}
      {saving.kind === 'deleted' && <DeletedNotice note={note} />}
      {saving.kind === 'refused' && saving.error.status === 403 && <ReadOnlyNotice note={note} />}
    </>
  );
}
