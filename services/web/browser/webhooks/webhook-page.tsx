import { AtriumError, type Subscription } from '@atrium/client';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { LIVE } from '../ui/live.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DeleteSection } from './delete-section.tsx';
import { HeadersSection } from './headers-section.tsx';
import { PauseButton } from './pause-button.tsx';
import { SecretSection } from './secret-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { StateBadge } from './state-badge.tsx';
import { StateNotice } from './state-notice.tsx';
import { StatisticsSection } from './statistics/statistics-section.tsx';
import { TestSection } from './test-section.tsx';
import { useWebhook } from './use-webhooks.ts';
import { shortUrl, webhookName } from './webhook-name.ts';
import classes from './webhooks.module.css';

/** One webhook: how it does, what it is set to, and what can be done about it. */
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
          <Group gap="xs">
            <ButtonLink to="/deliveries" search={{ webhook: id }} variant="default">
              {webhooks.deliveries}
            </ButtonLink>
            <PauseButton webhook={webhook} />
          </Group>
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed" className={classes.wrap}>
            {shortUrl(url)}
          </Text>
          <CopyButton value={url} label={webhooks.fields.copyUrl} />
        </Group>
      </Stack>
      <StateNotice webhook={webhook} />
      <StatisticsSection id={id} />
      {!listener && <TestSection webhook={webhook} />}
      <SettingsSection webhook={webhook} />
      <HeadersSection webhook={webhook} />
      <SecretSection webhook={webhook} />
      <DeleteSection webhook={webhook} />
    </Stack>
  );
}
