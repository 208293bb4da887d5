import { Alert } from '@mantine/core';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

export function NoDraftsNotice() {
  const { saving } = useSignedInText().notes;
  return (
    <Alert color="orange" variant="default" title={saving.noDraftsTitle} role="status">
      {saving.noDraftsExplanation}
    </Alert>
  );
}
