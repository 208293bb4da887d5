import { AtriumError, type Subscription } from '@atrium/client';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { Deliveries } from '../deliveries/deliveries.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { LIVE } from '../ui/live.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { Tabs } from '../ui/page/tabs.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DeleteSection } from '../webhooks/delete-section.tsx';
import { DestinationSection } from '../webhooks/destination-section.tsx';
import { FilterSection } from '../webhooks/filter-section.tsx';
import { HeadersSection } from '../webhooks/headers-section.tsx';
import { PauseButton } from '../webhooks/pause-button.tsx';
import { SecretSection } from '../webhooks/secret-section.tsx';
import { SettingsSection } from '../webhooks/settings-section.tsx';
import { StateBadge } from '../webhooks/state-badge.tsx';
import { StateNotice } from '../webhooks/state-notice.tsx';
import { StatisticsSection } from '../webhooks/statistics/statistics-section.tsx';
import { TestSection } from '../webhooks/test-section.tsx';
import { useWebhook } from '../webhooks/use-webhooks.ts';
import { readableUrl } from '../ui/urls.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from '../webhooks/webhooks.module.css';

const TABS = ['deliveries', 'overview', 'test', 'settings'] as const;

/** One webhook: what was sent, how it does, and what it is set to. The URL has the tab. */
export function WebhookPage({ id }: { id: string }) {
  const query = useWebhook(id, LIVE);
  if (query.error instanceof AtriumError && query.error.status === 404) return <NotFound />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(webhook) => <WebhookDetails key={id} webhook={webhook} />}
    </Loaded>
  );
}

function WebhookDetails({ webhook }: { webhook: Subscription }) {
  const { sections, webhooks } = useAllText();
  const { id, url, listener } = webhook;
  const name = webhookName(webhook);
  const given = useLocation({
    select: ({ search }) => ('tab' in search ? String(search.tab) : undefined),
  });
  const tab = TABS.find((each) => each === given) ?? TABS[0];
  return (
    <Stack gap="lg">
      <PageTitle>{name}</PageTitle>
      <Stack gap="xs">
        <TextLink to="/webhooks" size="sm">
          {sections.webhooks}
        </TextLink>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={1} className={classes.wrap}>
              {name}
            </Title>
            <StateBadge webhook={webhook} />
          </Group>
          <PauseButton webhook={webhook} />
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed" className={classes.wrap}>
            {webhook.description === '' ? url : readableUrl(url)}
          </Text>
          <CopyButton value={url} label={webhooks.fields.copyUrl} />
        </Group>
      </Stack>
      <StateNotice webhook={webhook} />
      <Tabs
        label={name}
        tabs={TABS.filter((each) => each !== 'test' || !listener).map((each) => ({
          to: '/webhooks/$id',
          params: { id },
          // The first one has two URLs, and is the current one at both.
          search: { tab: each === tab ? given : each === TABS[0] ? undefined : each },
          label: webhooks.tabs[each],
        }))}
      />
      {tab === 'deliveries' && <Deliveries webhookId={id} />}
      {tab === 'overview' && <StatisticsSection id={id} />}
      {tab === 'test' && !listener && <TestSection webhook={webhook} />}
      {tab === 'settings' && (
        <>
          <SettingsSection webhook={webhook} />
          <FilterSection webhook={webhook} />
          <DestinationSection webhook={webhook} />
          {webhook.destination.kind === 'http' && <HeadersSection webhook={webhook} />}
          <SecretSection webhook={webhook} />
          <DeleteSection webhook={webhook} />
        </>
      )}
    </Stack>
  );
}
