import type { FilterPreview as Preview } from '@atrium/client';
import { Stack, Text } from '@mantine/core';
import { isPortal } from '../../platform/portal.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { Time } from '../../ui/times/time.tsx';
import classes from './filter.module.css';

/** How many recent events match, and which. */
export function FilterPreview({ preview: { matching, data } }: { preview: Preview }) {
  const { filters } = useAllText();
  const { locale } = useTranslation();
  const numbers = new Intl.NumberFormat(locale);
  if (data.length === 0) return <Text size="sm">{filters.noEvents}</Text>;
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {filters.matching(numbers.format(matching), numbers.format(data.length))}
      </Text>
      <ul className={classes.events} aria-label={filters.events}>
        {data.map(({ id, event, createdAt, matches }) => (
          <li key={id} className={classes.event} data-matches={matches}>
            {isPortal ? (
              <Text size="sm">{event}</Text>
            ) : (
              <TextLink to="/events/$id" params={{ id }} size="sm">
                {event}
              </TextLink>
            )}
            <Text size="sm" c="dimmed">
              <Time value={createdAt} />
            </Text>
            <Text size="sm" className={classes.verdict}>
              {matches ? filters.matches : filters.doesNotMatch}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
