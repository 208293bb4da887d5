import type { Recovery } from '@atrium/client';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { FormError } from '../ui/forms/form-errors.tsx';
import { CopyAs } from '../ui/controls/copy-as.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { errorText } from '../ui/error-text.ts';
import { localMinute } from '../ui/times/local-minute.ts';
import { reload } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';

const DAY_MS = 86_400_000;
const POLL_MS = 1_000;

/** Sends again what has failed since a time, and shows how far that is. */
export function RecoverDialog({
  webhookId,
  onClose,
}: {
  webhookId: string | undefined;
  onClose: () => void;
}) {
  const text = useAllText();
  const { recover } = text.deliveries;
  const { data: webhooks = [] } = useWebhooks();
  const [chosenId, setChosenId] = useState(webhookId);
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MS));
  const [started, setStarted] = useState<Recovery | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  // Most people come for the one that fails.
  const failing = webhooks.find(({ failingSince }) => failingSince !== null);
  const id = chosenId ?? (failing ?? webhooks[0])?.id ?? '';
  const start = async () => {
    const sinceMs = Date.parse(since);
    if (!(sinceMs <= Date.now())) {
      setFailure(recover.sinceInvalid);
      return;
    }
    setPending(true);
    setFailure(null);
    try {
      const body = { since: new Date(sinceMs).toISOString() };
      setStarted(await atrium.webhooks.startRecovery(id, body));
    } catch (error) {
      setFailure(errorText(error, text));
    } finally {
      setPending(false);
    }
  };
  return (
    // The progress is another dialog, whose focus begins anew.
    <Dialog key={started?.id ?? 'form'} title={recover.title} onClose={onClose}>
      {started === null ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <Stack>
            <Text size="sm">{recover.hint}</Text>
            <FormError message={failure} />
            <NativeSelect
              label={recover.webhook}
              value={id}
              data={webhooks.map((each) => ({ value: each.id, label: webhookName(each) }))}
              onChange={(event) => setChosenId(event.currentTarget.value)}
              data-autofocus
            />
            <TextInput
              label={recover.since}
              type="datetime-local"
              value={since}
              onChange={(event) => setSince(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {text.proof.cancel}
              </Button>
              <Button type="submit" loading={isPending}>
                {recover.submit}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Progress webhookId={id} started={started} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Progress({
  webhookId,
  started,
  onClose,
}: {
  webhookId: string;
  started: Recovery;
  onClose: () => void;
}) {
  const { recover } = useAllText().deliveries;
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: queryKeys.deliveries.recovery(started.id),
    queryFn: async ({ signal }) => {
      const recovery = await atrium.webhooks.getRecovery(webhookId, started.id, { signal });
      if (recovery.completedAt !== null)
        void reload(queryClient, { queryKey: queryKeys.deliveries.all });
      return recovery;
    },
    initialData: started,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? POLL_MS : false),
  });
  const isRunning = data.completedAt === null;
  const since = { since: started.since };
  return (
    <Stack>
      <Text role="status">
        {isRunning ? recover.running(data.recovered) : recover.done(data.recovered)}
      </Text>
      {isRunning && (
        <Text size="sm" c="dimmed">
          {recover.leave}
        </Text>
      )}
      <Group justify="flex-end">
        <CopyAs
          method="POST"
          url={`${serviceUrls.webhooks}/api/webhooks/${webhookId}/recover`}
          body={since}
          code={`await atrium.webhooks.startRecovery('${webhookId}', ${JSON.stringify(since)});`}
        />
        <Button data-autofocus onClick={onClose}>
          {recover.close}
        </Button>
      </Group>
    </Stack>
  );
}
