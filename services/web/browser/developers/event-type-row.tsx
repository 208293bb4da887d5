import type { EventType } from '@atrium/client';
import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import rows from '../ui/lists/rows.module.css';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import classes from './developers.module.css';

/** An event type with its schema, and whether it is published. */
export function EventTypeRow({ type }: { type: EventType }) {
  const { eventTypes } = useAllText();
  const { name, description, schema, example, version, isArchived } = type;
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: async () => {
      // Registered again as it is, it comes back.
      if (isArchived) await atrium.webhooks.putEventType(name, { description, schema, example });
      else await atrium.webhooks.archiveEventType(name);
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks.eventTypes });
      toast(isArchived ? eventTypes.restored(name) : eventTypes.archived(name));
    },
    onError: showError,
  });
  const act = isArchived ? eventTypes.restore : eventTypes.archive;
  return (
    <li className={rows.item}>
      <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
        <Group gap="xs" className={rows.about ?? ''}>
          <Text fw={500}>{name}</Text>
          {isArchived && (
            <Badge variant="dot" color="gray">
              {eventTypes.isArchived}
            </Badge>
          )}
        </Group>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-label={act(name)}
          loading={change.isPending}
          onClick={() => change.mutate()}
        >
          {isArchived ? eventTypes.restoreShort : eventTypes.archiveShort}
        </Button>
      </Group>
      <div className={rows.line}>{description}</div>
      <details className={classes.schema}>
        <summary>
          {eventTypes.version(version)} · {eventTypes.schema}
        </summary>
        <Json label={eventTypes.schema} value={schema} />
        <Json label={eventTypes.example} value={example} />
      </details>
    </li>
  );
}

function Json({ label, value }: { label: string; value: object }) {
  return (
    <>
      <Text size="sm" mt="xs" mb={4}>
        {label}
      </Text>
      <Code block className={classes.code} tabIndex={0} aria-label={label}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </>
  );
}
