import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { ListEnd } from '../ui/lists/list-end.tsx';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { CreateWebhookDialog } from '../webhooks/create-webhook-dialog.tsx';
import { StateBadge } from '../webhooks/state-badge.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { readableUrl } from '../ui/urls.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from './portal.module.css';

/** The webhooks of the product that its customer has. */
export function PortalWebhooksPage({ name }: { name: string }) {
  const { portal, verification, webhooks } = useAllText();
  const [isNew, setNew] = useState(false);
  const list = useWebhooks();
  return (
    <Stack gap="lg">
      <PageTitle>{portal.of(name)}</PageTitle>
      <Stack gap={4}>
        <Group justify="space-between">
          <Title order={1}>{portal.of(name)}</Title>
          <Button onClick={() => setNew(true)}>{webhooks.new}</Button>
        </Group>
        <Text c="dimmed">{portal.explanation(name)}</Text>
      </Stack>
      <Loaded query={list} skeleton={<RowsSkeleton height={60} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={portal.empty}>
              <Button variant="default" onClick={() => setNew(true)}>
                {webhooks.new}
              </Button>
            </EmptyList>
          ) : (
            <>
              <TextLink to="/webhooks/verify" size="sm" underline="always">
                {verification.title}
              </TextLink>
              <ul className={rows.list}>
                {data.map((webhook) => (
                  <li key={webhook.id} className={`${rows.item} ${classes.row}`}>
                    <div>
                      <RowLink to="/webhooks/$id" params={{ id: webhook.id }}>
                        {webhookName(webhook)}
                      </RowLink>
                      <div className={rows.details}>
                        {`${readableUrl(webhook.url)} · ${webhook.events.join(', ')}`}
                      </div>
                    </div>
                    <StateBadge webhook={webhook} />
                  </li>
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
      {isNew && <CreateWebhookDialog onClose={() => setNew(false)} />}
    </Stack>
  );
}
