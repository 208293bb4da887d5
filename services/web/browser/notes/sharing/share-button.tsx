import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormError } from '../../forms/form-errors.tsx';
import { CopyButton } from '../../frame/copy-button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { errorText } from '../../frame/error-text.ts';
import { useToast } from '../../frame/toasts.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/signed-in.tsx';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';

/** Whether a note is public, and what makes it so or private again. */
export function ShareButton({ note }: { note: OpenNote }) {
  const { sharing } = useSignedInText().notes;
  const [url, setUrl] = useState(note.opened.sharedUrl);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {url !== null && <Badge>{sharing.shared}</Badge>}
      <Button size="xs" onClick={() => setOpen(true)}>
        {sharing.share}
      </Button>
      {isOpen && (
        <Dialog title={sharing.title} onClose={() => setOpen(false)}>
          {url === null ? (
            <Private note={note} onShared={setUrl} />
          ) : (
            <Public note={note} url={url} onStopped={() => setUrl(null)} />
          )}
        </Dialog>
      )}
    </>
  );
}

function Private({ note, onShared }: { note: OpenNote; onShared: (url: string) => void }) {
  const text = useSignedInText();
  const { sharing } = text.notes;
  const { emailVerified } = useUser();
  const share = useMutation({
    mutationFn: async () => {
      // What is public is what is on the page.
      await note.saver.flush();
      return atrium.notes.shareNote(note.id);
    },
    onSuccess: ({ url }) => onShared(url),
  });
  if (!emailVerified) return <VerifyEmailNotice why={sharing.needsEmail} />;
  return (
    <Stack align="flex-start">
      <Text size="sm">
        {sharing.private} {sharing.explanation}
      </Text>
      <FormError message={share.isError ? errorText(share.error, text) : null} />
      <Button data-autofocus loading={share.isPending} onClick={() => share.mutate()}>
        {sharing.create}
      </Button>
    </Stack>
  );
}

function Public({ note, url, onStopped }: { note: OpenNote; url: string; onStopped: () => void }) {
  const text = useSignedInText();
  const { sharing } = text.notes;
  const toast = useToast();
  const stop = useMutation({
    mutationFn: () => atrium.notes.unshareNote(note.id),
    onSuccess: () => {
      toast(sharing.stopped);
      onStopped();
    },
  });
  return (
    <Stack>
      <Text size="sm">{sharing.isPublic}</Text>
      <TextInput
        label={sharing.link}
        value={url}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <FormError message={stop.isError ? errorText(stop.error, text) : null} />
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={url} label={sharing.copyLink} />
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="compact-sm"
          >
            {sharing.open}
          </Button>
        </Group>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          loading={stop.isPending}
          onClick={() => stop.mutate()}
        >
          {sharing.stop}
        </Button>
      </Group>
    </Stack>
  );
}
