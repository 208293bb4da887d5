import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { LatePart } from '../../../ui/late/late-page.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useErrorToast, useToast } from '../../../ui/toasts/toasts.tsx';
import { FormError } from '../../../ui/forms/form-errors.tsx';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { Section } from '../../../ui/page/section.tsx';

const TYPES = 'image/png,image/jpeg,image/webp';

const CropDialog = lazyPart(async () => (await import('./crop-dialog.tsx')).CropDialog);

export interface PictureProps {
  title: string;
  hint: string;
  /** As others see it. */
  shown: ReactNode;
  url: string | null;
  upload: (picture: Blob) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** A picture: chosen, cropped to the square that others will see, then uploaded. */
export function PictureSection({ title, hint, shown, url, upload, remove }: PictureProps) {
  const { profile } = useAllText().account;
  const toast = useToast();
  const showError = useErrorToast();
  const resetInput = useRef<() => void>(null);
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const restore = useMutation({
    mutationFn: upload,
    onError: showError,
  });
  const removal = useMutation({
    mutationFn: async (from: string) => {
      const picture = await download(from);
      await remove();
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
    <Section title={title} hint={hint}>
      <Stack>
        <FormError message={failure} />
        <Group gap="lg">
          {shown}
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
            {url !== null && (
              <Button
                variant="subtle"
                color="red"
                loading={removal.isPending}
                onClick={() => removal.mutate(url)}
              >
                {profile.remove}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
      {chosen !== null && (
        <Suspense fallback={<LatePart />}>
          <CropDialog image={chosen} upload={upload} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </Section>
  );
}

/** The picture at a URL; null when this page may not read it, as at another site. */
async function download(url: string): Promise<Blob | null> {
  // What an image element has left in the cache lacks the permission to be read.
  const response = await fetch(url, { cache: 'reload' }).catch(() => null);
  return response?.ok === true ? response.blob() : null;
}
