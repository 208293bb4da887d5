import type { Share, Tagged } from '@atrium/client';
import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serviceUrls } from '../../platform/service-urls.ts';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { CopyAs } from '../../ui/controls/copy-as.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useUnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/user.ts';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { saveNow } from '../saving/save-now.ts';
import { ShareSettings } from './share-settings.tsx';
import { useShowShared, useShare, useShowShare } from './use-share.ts';

export function ShareDialog({ note, onClose }: { note: OpenNote; onClose: () => void }) {
  const { title } = useSignedInText().sharing;
  const [isUnsaved, setUnsaved] = useState(false);
  const { question, close } = useUnsavedChanges({ when: isUnsaved, onClose });
  const query = useShare(note.id);
  const url = query.data === undefined ? undefined : (query.data?.url ?? null);
  useEffect(() => {
    if (url !== undefined) note.setSharedUrl(url);
  }, [note, url]);
  return (
    // Other content is another dialog, whose focus begins anew.
    <Dialog key={String(url)} title={title} onClose={close}>
      {question}
      <Loaded query={query} skeleton={<Skeleton h={note.isPublic() ? 420 : 90} />}>
        {(share) =>
          share === null ? (
            <Private note={note} />
          ) : (
            <Public note={note} share={share} onUnsaved={setUnsaved} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Private({ note }: { note: OpenNote }) {
  const text = useSignedInText();
  const { sharing } = text;
  const { emailVerified } = useUser();
  const show = useShowShare(note.id);
  const showShared = useShowShared(note.id);
  const share = useMutation({
    mutationFn: async () => {
      // What is public is what is on the page.
      await saveNow(note.saver, sharing.notSaved);
      return atrium.notes.shareNote(note.id);
    },
    onSuccess: (shared) => {
      show(shared);
      showShared(shared.url);
    },
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

function Public({
  note,
  share,
  onUnsaved,
}: {
  note: OpenNote;
  share: Tagged<Share>;
  onUnsaved: (isUnsaved: boolean) => void;
}) {
  const text = useSignedInText();
  const { sharing } = text;
  const toast = useToast();
  const show = useShowShare(note.id);
  const showShared = useShowShared(note.id);
  const stop = useMutation({
    mutationFn: () => atrium.notes.unshareNote(note.id),
    onSuccess: () => {
      toast(sharing.stopped);
      show(null);
      showShared(null);
    },
  });
  return (
    <Stack>
      <State share={share} />
      <TextInput
        label={sharing.link}
        value={share.url}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <FormError message={stop.isError ? errorText(stop.error, text) : null} />
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={share.url} label={sharing.copyLink} />
          <Button
            component="a"
            href={share.url}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="compact-sm"
          >
            {sharing.open}
          </Button>
          <CopyAs
            size="compact-sm"
            method="POST"
            url={`${serviceUrls.notes}/api/notes/${note.id}/share`}
            code={`const { url } = await atrium.notes.shareNote('${note.id}');`}
          />
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
      <ShareSettings noteId={note.id} share={share} onUnsaved={onUnsaved} />
    </Stack>
  );
}

/** Who can read the note, and how often it has been opened. */
function State({ share }: { share: Share }) {
  const { sharing } = useSignedInText();
  const { locale } = useTranslation();
  const [shownAtMs] = useState(Date.now);
  const { hasPassword, expiresAt, maxViews, views } = share;
  const opened =
    views === 0
      ? sharing.unopened
      : sharing.opened(new Intl.NumberFormat(locale).format(views), views === 1);
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= shownAtMs;
  if (isExpired || (maxViews !== null && views >= maxViews)) {
    return (
      <Alert color="yellow">
        {isExpired ? sharing.expired : sharing.usedUp} {opened}
      </Alert>
    );
  }
  return (
    <Text size="sm">
      {hasPassword ? sharing.isProtected : sharing.isPublic} {opened}
    </Text>
  );
}
