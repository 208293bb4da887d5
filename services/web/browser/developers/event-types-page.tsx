import type { EventType } from '@atrium/client';
import { namespaceOf } from '@atrium/contracts/event-names';
import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import rows from '../ui/lists/rows.module.css';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { DevelopersTabs } from './developers-tabs.tsx';
import { EventTypeRow } from './event-type-row.tsx';
import { portals } from './portals.ts';

const PAGE_SIZE = 100;
const PUSH_COMMAND = 'atrium events types push events/*.json';

/** Those of the account's own products; the catalogue also has what other products send to all accounts. */
async function listOwn(signal: AbortSignal): Promise<EventType[]> {
  const { data: products } = await portals.listPortals({ signal });
  const own = new Set(products.map(({ namespace }) => namespace));
  const types: EventType[] = [];
  for await (const type of atrium.webhooks.listEventTypes({ limit: PAGE_SIZE }, { signal })) {
    if (own.has(namespaceOf(type.name))) types.push(type);
  }
  return types;
}

/** The event types that the account's products have registered. */
export function EventTypesPage() {
  const { eventTypes, tokens } = useAllText();
  const query = useQuery({
    queryKey: queryKeys.webhooks.ownEventTypes,
    queryFn: ({ signal }) => listOwn(signal),
  });
  return (
    <Stack gap="lg" maw={760}>
      <DevelopersTabs />
      <Stack gap={4}>
        <Title order={1}>{eventTypes.title}</Title>
        <Text c="dimmed">{eventTypes.explanation}</Text>
      </Stack>
      <Loaded query={query} skeleton={<RowsSkeleton rows={4} height={72} />}>
        {(types) =>
          types.length === 0 ? (
            <EmptyList text={eventTypes.none}>
              <Group gap="xs" justify="center">
                <Code>{PUSH_COMMAND}</Code>
                <CopyButton value={PUSH_COMMAND} label={eventTypes.copyCommand} />
              </Group>
              <Text size="sm" c="dimmed" ta="center">
                {eventTypes.guide}
              </Text>
              <ButtonLink to="/account/tokens" variant="default">
                {tokens.title}
              </ButtonLink>
            </EmptyList>
          ) : (
            <ul className={rows.list}>
              {types.map((type) => (
                <EventTypeRow key={type.name} type={type} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Stack>
  );
}
