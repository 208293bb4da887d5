import { AtriumError } from '@atrium/client';
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { CopyAs } from '../ui/controls/copy-as.tsx';
import { Section } from '../ui/page/section.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { readableUrl } from '../ui/urls.ts';
import { ClicksSection, type LinkClicks } from './clicks-section.tsx';
import { cancelDeletion, useDeleteLink, usePendingDeletions } from './deletion.ts';
import { EditSection } from './edit-section.tsx';
import linkClasses from './links.module.css';
import { QrCodeSection } from './qr-code-section.tsx';
import { LIVE } from '../ui/live.ts';

export function LinkPage({ id }: { id: string }) {
  const { frame, links } = useAllText();
  const isPending = usePendingDeletions().has(id);
  const [isHeld, setHeld] = useState(false);
  const query = useQuery({
    queryKey: queryKeys.links.one(id),
    queryFn: ({ signal }) => atrium.links.getLink(id, { signal }),
    enabled: !isPending,
    refetchInterval: ({ state }) =>
      isHeld || state.status === 'error' ? false : LIVE.refetchInterval,
    refetchOnWindowFocus: !isHeld,
  });
  const isMissing = query.error instanceof AtriumError && query.error.status === 404;
  if (isPending || isMissing) {
    return (
      <MessagePage
        title={isPending ? links.deletingTitle : links.missingTitle}
        actions={
          <Group gap="sm">
            {isPending && <Button onClick={() => cancelDeletion(id)}>{frame.undo}</Button>}
            <ButtonLink to="/links" variant="default">
              {links.toList}
            </ButtonLink>
          </Group>
        }
      >
        <p>{isPending ? links.deletingExplanation : links.missing}</p>
      </MessagePage>
    );
  }
  return (
    <Loaded query={query} skeleton={<LinkSkeleton />}>
      {(link) => <LinkContent key={link.id} link={link} isHeld={isHeld} onHold={setHeld} />}
    </Loaded>
  );
}

function LinkContent({ link, isHeld, onHold }: LinkClicks) {
  const { sections, links } = useAllText();
  const navigate = useNavigate();
  const deleteLink = useDeleteLink();
  const remove = async () => {
    // Changes to a link that is to be deleted need no saving.
    await navigate({ to: '/links', ignoreBlocker: true });
    deleteLink(link);
  };
  return (
    <Stack gap="lg">
      <PageTitle>{`${link.slug} · ${links.one}`}</PageTitle>
      <Stack gap="xs">
        <TextLink to="/links" size="sm">
          {sections.links}
        </TextLink>
        <Group justify="space-between">
          <Title order={1} className={linkClasses.url}>
            {readableUrl(link.shortUrl)}
          </Title>
          <Group gap="xs">
            <CopyButton value={link.shortUrl} />
            <CopyAs
              size="compact-sm"
              method="POST"
              url={`${serviceUrls.links}/api/links`}
              body={{ url: link.url }}
              code={`const { shortUrl } = await atrium.links.createLink(${JSON.stringify({ url: link.url })});`}
            />
          </Group>
        </Group>
        <Text c="dimmed" className={linkClasses.url}>
          {links.leadsTo}{' '}
          <Anchor href={link.url} target="_blank" rel="noreferrer" underline="always" inherit>
            {readableUrl(link.url)}
          </Anchor>
        </Text>
      </Stack>
      <ClicksSection link={link} isHeld={isHeld} onHold={onHold} />
      <QrCodeSection link={link} />
      <EditSection link={link} />
      <Section
        title={links.delete}
        hint={links.deleteHint}
        action={
          <Button variant="default" onClick={() => void remove()}>
            {links.delete}
          </Button>
        }
      />
    </Stack>
  );
}

function LinkSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton h={56} />
      <Skeleton h={140} />
      <Skeleton h={240} />
    </Stack>
  );
}
