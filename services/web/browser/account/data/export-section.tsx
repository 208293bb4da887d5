import type { ExportState } from '@atrium/client';
import { Alert, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../ui/error-text.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { ExactTime, Time } from '../../ui/times/time.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { VerifiedButton } from '../../session/verified-button.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';

const POLL_MS = 2_000;

/** A copy of everything: requested, prepared in the background, and downloaded with the link of an email. */
export function ExportSection() {
  const text = useAllText();
  const { data } = text.account;
  const queryClient = useQueryClient();
  const state = useQuery({
    queryKey: queryKeys.account.export,
    queryFn: ({ signal }) => atrium.auth.getAccountExport({ signal }),
    refetchInterval: (query) => (query.state.data?.status === 'preparing' ? POLL_MS : false),
  });
  const request = useMutation({
    mutationFn: () => atrium.auth.requestAccountExport(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.account.export }),
  });
  return (
    <Section title={data.export} hint={data.exportHint}>
      <Stack align="flex-start">
        <VerifyEmailNotice why={data.verifyFirst} />
        <Loaded query={state} skeleton={<Skeleton h={36} w={160} />}>
          {(current) => (
            <>
              <State state={current} />
              {current.status !== 'preparing' && (
                <VerifiedButton
                  variant="default"
                  loading={request.isPending}
                  onClick={() => request.mutate()}
                >
                  {current.status === 'none' ? data.request : data.requestAgain}
                </VerifiedButton>
              )}
            </>
          )}
        </Loaded>
        <FormError message={request.isError ? errorText(request.error, text) : null} />
      </Stack>
    </Section>
  );
}

function State({ state }: { state: ExportState }) {
  const { data } = useAllText().account;
  const { email } = useUser();
  const { status, requestedAt, expiresAt, servicesReady, servicesTotal } = state;
  if (status === 'none') return null;
  return (
    <Stack gap="xs" w="100%" role="status">
      {status === 'preparing' && (
        <>
          <Text size="sm">{data.preparing}</Text>
          <Progress
            value={(servicesReady / Math.max(servicesTotal, 1)) * 100}
            aria-label={data.progress(servicesReady, servicesTotal)}
          />
          <Text size="sm" c="dimmed">
            {data.progress(servicesReady, servicesTotal)}
          </Text>
        </>
      )}
      {status === 'ready' && <Text size="sm">{data.ready(email)}</Text>}
      {status === 'ready' && expiresAt !== null && (
        <Text size="sm" c="dimmed">
          {data.readyUntil} <ExactTime value={expiresAt} />
        </Text>
      )}
      {status === 'failed' && <Alert color="red">{data.failed}</Alert>}
      {requestedAt !== null && (
        <Text size="sm" c="dimmed">
          {data.requested} <Time value={requestedAt} />
        </Text>
      )}
    </Stack>
  );
}
