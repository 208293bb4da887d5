import { AtriumError, type Subscription } from '@atrium/client';
import { Group, Skeleton, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { BulkBar } from '../deliveries/bulk-bar.tsx';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { ListEnd } from '../ui/lists/list-end.tsx';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { useList } from '../ui/lists/use-list.ts';
import { LIVE } from '../ui/live.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { Section } from '../ui/page/section.tsx';
import { DeleteSection } from '../webhooks/delete-section.tsx';
import { FilterSection } from '../webhooks/filter-section.tsx';
import { HeadersSection } from '../webhooks/headers-section.tsx';
import { PauseButton } from '../webhooks/pause-button.tsx';
import { SecretSection } from '../webhooks/secret-section.tsx';
import { SettingsSection } from '../webhooks/settings-section.tsx';
import { StateBadge } from '../webhooks/state-badge.tsx';
import { StateNotice } from '../webhooks/state-notice.tsx';
import { TestSection } from '../webhooks/test-section.tsx';
import { useWebhook } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';

/** One webhook of a portal: what was sent, a test, and its settings. */
export function PortalWebhookPage({ id }: { id: string }) {
  const query = useWebhook(id, LIVE);
  if (query.error instanceof AtriumError && query.error.status === 404) return <NotFound />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(webhook) => <Details webhook={webhook} />}
    </Loaded>
  );
}

function Details({ webhook }: { webhook: Subscription }) {
  const { portal, sections } = useAllText();
  const name = webhookName(webhook);
  return (
    <Stack gap="lg">
      <PageTitle>{name}</PageTitle>
      <Stack gap="xs">
        <TextLink to="/webhooks" size="sm">
          {sections.webhooks}
        </TextLink>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={1}>{name}</Title>
            <StateBadge webhook={webhook} />
          </Group>
          <PauseButton webhook={webhook} />
        </Group>
      </Stack>
      <StateNotice webhook={webhook} />
      <TestSection webhook={webhook} />
      <Section title={portal.deliveries}>
        <PortalDeliveries id={webhook.id} />
      </Section>
      <SettingsSection webhook={webhook} />
      <FilterSection webhook={webhook} />
      <HeadersSection webhook={webhook} />
      <SecretSection webhook={webhook} />
      <DeleteSection webhook={webhook} />
    </Stack>
  );
}

const PAGE_SIZE = 50;

function PortalDeliveries({ id }: { id: string }) {
  const { portal } = useAllText();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useList(queryKeys.deliveries.list({ webhook: id }), (query, options) =>
    atrium.webhooks.listWebhookDeliveries(id, { ...query, limit: PAGE_SIZE }, options),
  );
  return (
    <Loaded query={list} skeleton={<RowsSkeleton rows={4} height={36} />}>
      {(data) =>
        data.length === 0 ? (
          <EmptyList text={portal.noDeliveries} />
        ) : (
          <>
            <DeliveryList
              deliveries={data}
              hasWebhook={false}
              onBeside={undefined}
              chosenId={undefined}
              selected={selected}
              onSelect={setSelected}
            />
            <ListEnd list={list} />
            <BulkBar
              deliveries={data.filter(({ id: each }) => selected.has(each))}
              onSelect={setSelected}
            />
          </>
        )
      }
    </Loaded>
  );
}
