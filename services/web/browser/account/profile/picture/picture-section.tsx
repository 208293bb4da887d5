import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { LatePart } from '../../../ui/late/late-page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useErrorToast, useToast } from '../../../ui/toasts/toasts.tsx';
import { FormError } from '../../../ui/forms/form-errors.tsx';
import { atrium } from '../../../session/atrium.ts';
import { useUser } from '../../../session/user.ts';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { AccountAvatar } from '../../../ui/controls/account-avatar.tsx';

const TYPES = 'image/png,image/jpeg,image/webp';

const CropDialog = lazyPart(async () => (await import('./crop-dialog.tsx')).CropDialog);

/** The avatar: chosen, cropped to the square that others will see, then uploaded. */
export function PictureSection() {
  const { profile } = useAllText().account;
  const toast = useToast();
  const showError = useErrorToast();
  const user = useUser();
  const { avatar } = user;
  const resetInput = useRef<() => void>(null);
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const restore = useMutation({
    mutationFn: (picture: Blob) => atrium.auth.uploadAvatar(picture),
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: async (address: string) => {
      const picture = await download(address);
      await atrium.auth.removeAvatar();
      return picture;
    },
    onSuccess: (picture) =>
      toast(profile.removed, picture === null ? {} : { undo: () => restore.mutate(picture) }),
    onError: showError,
  });
  const choose = async (file: File | null) => {
    // The same file may be chosen again.
    resetInput.current?.();
    if (file === null) return;
    const image = await createImageBitmap(file).catch(() => null);
    setFailure(image === null ? profile.unreadable : null);
    setChosen(image);
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
      {chosen !== null && (
        <Suspense fallback={<LatePart />}>
          <CropDialog image={chosen} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </Section>
  );
}

/** The picture at an address; null when this page may not read it, as at another site. */
async function download(address: string): Promise<Blob | null> {
  // What an image element has left in the cache lacks the permission to be read.
  const response = await fetch(address, { cache: 'reload' }).catch(() => null);
  return response?.ok === true ? response.blob() : null;
}
