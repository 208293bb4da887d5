import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { UnsavedChanges } from '../../../ui/dialogs/unsaved-changes.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import classes from './recovery-codes.module.css';

const FILE_NAME = 'atrium-recovery-codes.txt';

/** New recovery codes. They cannot be shown again, so that only its button closes the dialog. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { security } = useAllText().account;
  const list = codes.join('\n');
  return (
    <Dialog title={security.codes.shownTitle} className={classes.dialog}>
      <UnsavedChanges when explanation={security.codes.shownHint} />
      <Stack>
        <Text size="sm">{security.codes.shownHint}</Text>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs" className={classes.actions}>
          <CopyButton value={list} label={security.codes.copy} />
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              const content = `${security.codes.file}\n\n${list}\n`;
              saveFile(FILE_NAME, new Blob([content], { type: 'text/plain' }));
            }}
          >
            {security.codes.download}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => window.print()}>
            {security.codes.print}
          </Button>
        </Group>
        <Button data-autofocus className={classes.actions} onClick={onClose}>
          {security.codes.done}
        </Button>
      </Stack>
    </Dialog>
  );
}
