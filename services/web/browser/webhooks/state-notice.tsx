import type { Subscription } from '@atrium/client';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Time } from '../ui/times/time.tsx';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { queryKeys } from '../session/query-keys.ts';
import { isPortal } from '../platform/portal.ts';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { HealthLine } from './health-line.tsx';
import { stateOf } from './state-badge.tsx';
import { useHealth } from './use-health.ts';
import { useWebhookChange } from './use-webhook-change.ts';

/** Why nothing arrives, and what to do about it; nothing when all is well. */
export function StateNotice({ webhook }: { webhook: Subscription }) {
  const { notice, health: texts } = useAllText().webhooks;
  const { id, disabledReason, failingSince } = webhook;
  // What waited too long would have it disabled again. A listener is always paused.
  const isResumed = webhook.paused && !webhook.listener && disabledReason !== null;
  const enable = useWebhookChange(
    () => atrium.webhooks.updateWebhook(id, { enabled: true, ...(isResumed && { paused: false }) }),
    notice.enabled,
  );
  const health = useHealth(id);
  const isWaiting = health !== undefined && health.waiting > 0;
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const tryNow = useMutation({
    mutationFn: () => atrium.webhooks.tryWebhookNow(id),
    onSuccess: () => {
      toast(texts.tried);
      void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks.all });
    },
    onError: showError,
  });
  // In a portal they stand below.
  const seeFailed = isPortal ? null : (
    <ButtonLink
      to="/webhooks/$id"
      params={{ id }}
      search={{ webhook: id, state: 'undelivered' }}
      variant="default"
      size="xs"
    >
      {notice.seeFailed}
    </ButtonLink>
  );
  switch (stateOf(webhook)) {
    case 'disabled': {
      const reasons: Record<string, string> = notice.reasons;
      const why = disabledReason === null ? null : (reasons[disabledReason] ?? disabledReason);
      return (
        <Notice
          color="red"
          title={notice.disabledTitle}
          actions={
            <>
              <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
                {isResumed ? notice.enableAndResume : notice.enable}
              </Button>
              {seeFailed}
            </>
          }
        >
          {why === null ? notice.disabledByOwner : `${why} ${notice.disabledWhat}`}
        </Notice>
      );
    }
    case 'failing':
      return (
        <Notice
          color="orange"
          title={notice.failingTitle}
          actions={
            <>
              {isWaiting && (
                <Button size="xs" loading={tryNow.isPending} onClick={() => tryNow.mutate()}>
                  {texts.tryNow}
                </Button>
              )}
              {seeFailed}
            </>
          }
        >
          {isWaiting && (
            <Text size="sm" fw={600}>
              <HealthLine {...health} />
            </Text>
          )}
          {failingSince !== null && (
            <>
              {notice.firstFailure} <Time value={failingSince} />.{' '}
            </>
          )}
          {notice.failing}
        </Notice>
      );
    case 'paused':
      return <Notice title={notice.pausedTitle}>{notice.paused}</Notice>;
    case 'listener':
      return <Notice title={notice.listenerTitle}>{notice.listener}</Notice>;
    case 'active':
      return null;
  }
}

function Notice({
  title,
  color = 'gray',
  actions,
  children,
}: {
  title: string;
  color?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Alert title={title} color={color} variant="default">
      <Stack gap="sm">
        <Text size="sm" component="div">
          {children}
        </Text>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Stack>
    </Alert>
  );
}
