import { Button, Group, Input, Slider, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormError } from '../../../ui/forms/form-errors.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { useWhileOpen } from '../../../ui/dialogs/use-while-open.ts';
import { errorText } from '../../../ui/error-text.ts';
import { useToast } from '../../../ui/toasts/toasts.tsx';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { centeredCrop, ZOOM_MAX, zoomCrop, zoomOf } from './crop.ts';
import { CropView } from './crop-view.tsx';
import { croppedImage } from './cropped-image.ts';

/** Asks which square of a picture others will see, and uploads it. */
export function CropDialog({
  image,
  upload,
  onClose,
}: {
  image: ImageBitmap;
  upload: (picture: Blob) => Promise<unknown>;
  onClose: () => void;
}) {
  const text = useAllText();
  const { profile } = text.account;
  const toast = useToast();
  const [crop, setCrop] = useState(() => centeredCrop(image));
  const close = useWhileOpen(onClose);
  const saving = useMutation({
    mutationFn: async () => {
      const picture = await croppedImage(image, crop);
      if (picture === null) throw new Error('The picture could not be encoded');
      await upload(picture);
    },
    onSuccess: () => {
      toast(profile.saved);
      close();
    },
  });
  return (
    <Dialog title={profile.crop.title} onClose={onClose}>
      <Stack>
        <CropView image={image} crop={crop} onChange={setCrop} />
        <Input.Wrapper label={profile.crop.zoom} labelElement="div">
          <Slider
            thumbLabel={profile.crop.zoom}
            min={1}
            max={ZOOM_MAX}
            step={0.1}
            label={null}
            value={zoomOf(crop, image)}
            onChange={(zoom) => setCrop(zoomCrop(crop, zoom, image))}
          />
        </Input.Wrapper>
        <FormError message={saving.isError ? errorText(saving.error, text) : null} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.proof.cancel}
          </Button>
          <Button loading={saving.isPending} onClick={() => saving.mutate()}>
            {profile.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
