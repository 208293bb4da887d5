import { Group, Skeleton, Text } from '@mantine/core';
import { queryKeys } from '../../session/query-keys.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { operator } from '../operator.ts';

/** Events that no worker could store, and why. */
export function RejectedSection() {
  const { overview } = useAllText().operator;
  const list = useList(queryKeys.operator.rejectedEvents, (query, options) =>
    operator.listRejectedEvents(query, options),
  );
  return (
    <Section title={overview.rejected} hint={overview.rejectedHint}>
      <Loaded query={list} skeleton={<Skeleton h={64} />}>
        {(events) =>
          events.length === 0 ? (
            <Text size="sm">{overview.noRejected}</Text>
          ) : (
            <>
              <ul className={rows.list}>
                {events.map(({ eventId, reason, rejectedAt }) => (
                  <li key={`${rejectedAt} ${String(eventId)}`} className={rows.item}>
                    <Text fw={500}>{reason}</Text>
                    <Group gap="xs">
                      <Text size="sm" c="dimmed">
                        {eventId ?? overview.unreadable}
                        {' · '}
                        <Time value={rejectedAt} />
                      </Text>
                      {eventId !== null && (
                        <CopyButton value={eventId} label={overview.copyEvent} />
                      )}
                    </Group>
                  </li>
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
