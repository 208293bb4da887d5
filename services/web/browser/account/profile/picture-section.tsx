import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Dialog } from '../../frame/dialog.tsx';
import { errorText } from '../../frame/error-text.ts';
import { useToast } from '../../frame/toasts.tsx';
import { FormError } from '../../forms/form-errors.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/signed-in.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../frame/section.tsx';
import { AccountAvatar } from './account-avatar.tsx';
import { squareImage } from './square-image.ts';

const TYPES = 'image/png,image/jpeg,image/webp';

/** The avatar: chosen, seen as the square that others will see, then uploaded. */
export function PictureSection() {
  const text = useSignedInText();
  const { profile } = text.account;
  const toast = useToast();
  const user = useUser();
  const { avatar } = user;
  const resetInput = useRef<() => void>(null);
  const [chosen, setChosen] = useState<Blob | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const onError = (error: unknown) => toast(errorText(error, text), { kind: 'error' });
  const restore = useMutation({
    mutationFn: (picture: Blob) => atrium.auth.uploadAvatar(picture),
    onError,
  });
  const remove = useMutation({
    mutationFn: async (address: string) => {
      const picture = await download(address);
      await atrium.auth.removeAvatar();
      return picture;
    },
    onSuccess: (picture) =>
      toast(profile.removed, picture === null ? {} : { undo: () => restore.mutate(picture) }),
    onError,
  });
  const choose = async (file: File | null) => {
    // The same file may be chosen again.
    resetInput.current?.();
    if (file === null) return;
    const square = await squareImage(file);
    setFailure(square === null ? profile.unreadable : null);
    setChosen(square);
  };
  return (
    <Section title={profile.picture} hint={profile.pictureHint}>
      <Stack>
        <FormError message={failure} />
        <Group gap="lg">
          <AccountAvatar user={user} size={80} />
          <Group gap="sm">
            <FileButton
              accept={TYPES}
              resetRef={resetInput}
              onChange={(file) => void choose(file)}
              inputProps={{ 'aria-label': profile.upload }}
            >
              {(props) => (
                <Button variant="default" {...props}>
                  {profile.upload}
                </Button>
              )}
            </FileButton>
            {avatar !== null && (
              <Button
                variant="subtle"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate(avatar)}
              >
                {profile.remove}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
      {chosen !== null && <PreviewDialog picture={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

function PreviewDialog({ picture, onClose }: { picture: Blob; onClose: () => void }) {
  const text = useSignedInText();
  const { profile } = text.account;
  const toast = useToast();
  const user = useUser();
  const url = useMemo(() => URL.createObjectURL(picture), [picture]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const upload = useMutation({
    mutationFn: () => atrium.auth.uploadAvatar(picture),
    onSuccess: () => {
      toast(profile.saved);
      onClose();
    },
  });
  return (
    <Dialog title={profile.previewTitle} onClose={onClose}>
      <Stack align="center">
        <AccountAvatar user={{ ...user, avatar: url }} size={160} alt={profile.preview} />
        <FormError message={upload.isError ? errorText(upload.error, text) : null} />
        <Group>
          <Button variant="default" onClick={onClose}>
            {text.proof.cancel}
          </Button>
          <Button data-autofocus loading={upload.isPending} onClick={() => upload.mutate()}>
            {profile.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The picture at an address; null when this page may not read it, as at another site. */
async function download(address: string): Promise<Blob | null> {
  // What an image element has left in the cache lacks the permission to be read.
  const response = await fetch(address, { cache: 'reload' }).catch(() => null);
  return response?.ok === true ? response.blob() : null;
}
