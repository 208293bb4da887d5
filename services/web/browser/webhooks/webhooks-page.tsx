import { Group, Stack, Title } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { ListEnd } from '../ui/lists/list-end.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import rows from '../ui/lists/rows.module.css';
import { useUser } from '../session/user.ts';
import { VerifiedButton } from '../session/verified-button.tsx';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { useWebhooks } from './use-webhooks.ts';
import { WebhookRow } from './webhook-row.tsx';
import { WebhooksTabs } from './webhooks-tabs.tsx';

/** All webhooks. The URL says whether a new one is being made. */
export function WebhooksPage() {
  const { sections, verification, webhooks } = useAllText();
  const { emailVerified } = useUser();
  const navigate = useNavigate();
  const isNew = useLocation({ select: ({ search }) => 'new' in search });
  const list = useWebhooks();
  // Going back leads past a form that was closed.
  const open = (isOpen: boolean) => {
    const search = isOpen ? { new: true } : {};
    void navigate({
      to: '.',
      search: () => search,
      replace: !isOpen,
      resetScroll: false,
      // The form asks for itself before it closes.
      ignoreBlocker: !isOpen,
    });
  };
  return (
    <Stack gap="lg">
      <WebhooksTabs />
      <Group justify="space-between">
        <Title order={1}>{sections.webhooks}</Title>
        <VerifiedButton onClick={() => open(true)}>{webhooks.new}</VerifiedButton>
      </Group>
      <VerifyEmailNotice why={webhooks.verifyFirst} />
      <Loaded query={list} skeleton={<RowsSkeleton height={60} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={webhooks.empty}>
              <VerifiedButton variant="default" onClick={() => open(true)}>
                {webhooks.new}
              </VerifiedButton>
            </EmptyList>
          ) : (
            <>
              <TextLink to="/webhooks/verify" size="sm" underline="always">
                {verification.title}
              </TextLink>
              <ul className={rows.list}>
                {data.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} />
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
      {isNew && emailVerified && <CreateWebhookDialog onClose={() => open(false)} />}
    </Stack>
  );
}
