import type { Link } from '@atrium/client';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../session/query-keys.ts';
import { Section } from '../ui/page/section.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useErrorToast } from '../ui/toasts/toasts.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import linkClasses from './links.module.css';
import { qrCodePng, qrCodeSvg } from './qr-code.ts';

const SIZE_PX = 160;

/** The short URL as a QR code, for print and for screens. */
export function QrCodeSection({ link: { slug, shortUrl } }: { link: Link }) {
  const { links } = useAllText();
  const showError = useErrorToast();
  const qrCode = useQuery({
    queryKey: queryKeys.links.qrCode(shortUrl),
    queryFn: () => qrCodeSvg(shortUrl),
    staleTime: Infinity,
  });
  const savePng = useMutation({
    mutationFn: () => qrCodePng(shortUrl),
    onSuccess: (png) => saveFile(`${slug}.png`, png),
    onError: showError,
  });
  return (
    <Section title={links.qrCode} hint={links.qrCodeHint}>
      <Loaded query={qrCode} skeleton={<Skeleton w={SIZE_PX} h={SIZE_PX} />}>
        {(svg) => (
          <Group gap="lg">
            <img
              src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
              alt={links.qrCodeOf(slug)}
              width={SIZE_PX}
              height={SIZE_PX}
              className={linkClasses.qrCode}
            />
            <Stack gap="xs" align="flex-start">
              <Button
                variant="default"
                onClick={() => saveFile(`${slug}.svg`, new Blob([svg], { type: 'image/svg+xml' }))}
              >
                {links.downloadSvg}
              </Button>
              <Button
                variant="default"
                loading={savePng.isPending}
                onClick={() => savePng.mutate()}
              >
                {links.downloadPng}
              </Button>
            </Stack>
          </Group>
        )}
      </Loaded>
    </Section>
  );
}
