import { Badge, Button } from '@mantine/core';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** Whether a note is public, and what makes it so or private again. */
export function ShareButton({ note }: { note: OpenNote }) {
  const { sharing } = useSignedInText();
  const isPublic = useSyncExternalStore(note.subscribe, note.isPublic);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isPublic && <Badge>{sharing.shared}</Badge>}
      <Button size="xs" onClick={() => setOpen(true)}>
        {sharing.share}
      </Button>
      {isOpen && (
        <Suspense fallback={<LatePart />}>
          <ShareDialog note={note} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
