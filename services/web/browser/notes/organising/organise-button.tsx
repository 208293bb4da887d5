import { Suspense, useState } from 'react';
import { IconButton } from '../../frame/icon-button.tsx';
import { lazyPart } from '../../frame/lazy-part.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';

const OrganiseDialog = lazyPart(async () => (await import('./organise-dialog.tsx')).OrganiseDialog);

/** Opens what puts a note elsewhere. */
export function OrganiseButton({ note }: { note: OpenNote }) {
  const { organising: texts } = useSignedInText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="move" label={texts.title} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <OrganiseDialog note={note} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
