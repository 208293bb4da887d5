import { Alert, Button, Stack } from '@mantine/core';
import { Suspense, useState } from 'react';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { type Merge, resolveMerge } from '../saving/merge.ts';
import type { OpenNote } from '../saving/open-note.ts';

const CollisionDialog = lazyPart(
  async () => (await import('./collision-dialog.tsx')).CollisionDialog,
);

/** Says that somebody else has changed the same words. One can go on writing and choose later. */
export function CollisionNotice({ note }: { note: OpenNote }) {
  const { saving } = useSignedInText().notes;
  const [merge, setMerge] = useState<Merge | null>(null);
  return (
    <Alert color="red" variant="light" title={saving.conflictTitle} role="alert">
      <Stack gap="sm" align="flex-start">
        {saving.conflictExplanation}
        <Button size="xs" onClick={() => setMerge(note.saver.merge())}>
          {saving.compare}
        </Button>
      </Stack>
      {merge !== null && (
        <Suspense fallback={<LatePart />}>
          <CollisionDialog
            merge={merge}
            onClose={() => setMerge(null)}
            onChosen={(choices) => {
              setMerge(null);
              note.saver.resolve(resolveMerge(merge, choices));
            }}
          />
        </Suspense>
      )}
    </Alert>
  );
}
