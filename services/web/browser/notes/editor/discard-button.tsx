import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';

/** Discards a text that cannot be saved, after a question. */
export function DiscardButton({ onDiscard }: { onDiscard: () => Promise<void> }) {
  const { saving } = useSignedInText().notes;
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        {saving.discard}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={saving.discardTitle}
          explanation={saving.discardExplanation}
          submit={saving.discard}
          onConfirm={async () => {
            await onDiscard();
            toast(saving.discarded);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
