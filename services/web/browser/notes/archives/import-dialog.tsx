import type { Import, Workspace } from '@atrium/client';
import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { errorText } from '../../ui/error-text.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './archives.module.css';
import { isUnfinished, useImports } from './use-archives.ts';

/** Takes an archive, and shows how far its import is: also when it is opened again later. */
export function ImportDialog({
  workspace,
  onClose,
}: {
  workspace: Workspace;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { archives } = text;
  const { latest, upload, start } = useImports(workspace);
  const current = latest.data ?? null;
  const isSending = upload?.kind === 'sending';
  const isBusy = isSending || (current !== null && isUnfinished(current));
  const failure = upload?.kind === 'failed' ? upload.error : latest.error;
  return (
    <Dialog title={archives.importTitle(workspace.name)} onClose={onClose}>
      <Stack>
        <Text size="sm">{archives.explanation}</Text>
        <FormError message={failure === null ? null : errorText(failure, text)} />
        {!isBusy && <ArchivePicker onChosen={(file) => void start(file)} />}
        <div role="status">
          {isSending && (
            <Running
              label={archives.uploading}
              percent={upload.percent}
              hint={archives.keepsSending}
            />
          )}
          {!isSending && current !== null && <State current={current} />}
        </div>
        {!isSending && current !== null && <Skipped current={current} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.frame.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function ArchivePicker({ onChosen }: { onChosen: (file: File) => void }) {
  const { archives } = useSignedInText();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onChosen(file);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text size="sm" c="dimmed">
        {archives.drop}
      </Text>
      <FileButton accept=".zip,application/zip" onChange={(file) => file && onChosen(file)}>
        {(props) => (
          <Button {...props} data-autofocus>
            {archives.choose}
          </Button>
        )}
      </FileButton>
    </div>
  );
}

function State({ current }: { current: Import }) {
  const { archives } = useSignedInText();
  const { state, done, total, created, unchanged, error } = current;
  if (state === 'completed') {
    return (
      <Alert variant="default" title={archives.completed}>
        {archives.created(created)}
        {unchanged > 0 && ` ${archives.unchanged(unchanged)}`}
      </Alert>
    );
  }
  if (state === 'failed') {
    return (
      <Alert variant="default" title={archives.failed}>
        {archives.reason(error ?? '')}
        {created > 0 && <div>{archives.created(created)}</div>}
      </Alert>
    );
  }
  const label = state === 'running' ? archives.progress(done, total) : archives.checking;
  const percent = total === 0 ? 0 : (done / total) * 100;
  return <Running label={label} percent={percent} hint={archives.goesOn} />;
}

function Running({ label, percent, hint }: { label: string; percent: number; hint: string }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{label}</Text>
      <Progress value={percent} aria-label={label} />
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </Stack>
  );
}

function Skipped({ current: { skipped, skippedCount } }: { current: Import }) {
  const { archives } = useSignedInText();
  if (skippedCount === 0) return null;
  return (
    <section aria-label={archives.skipped(skippedCount)}>
      <Text size="sm" fw={600}>
        {archives.skipped(skippedCount)}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard scrolls it */}
      <ul className={classes['skipped']} tabIndex={0}>
        {skipped.map(({ path, reason }) => (
          <li key={path}>
            <Text size="sm">{path}</Text>
            <Text size="sm" c="dimmed">
              {archives.reason(reason)}
            </Text>
          </li>
        ))}
        {skippedCount > skipped.length && (
          <li>
            <Text size="sm">{archives.more(skippedCount - skipped.length)}</Text>
          </li>
        )}
      </ul>
    </section>
  );
}
