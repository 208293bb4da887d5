import type { ClicksByDay, Link } from '@atrium/client';
import { Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { SegmentedChoice } from '../ui/controls/segmented-choice.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { Time } from '../ui/times/time.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { ClickChart } from './click-chart.tsx';
import classes from './links.module.css';
import { LIVE } from '../ui/live.ts';

export interface LinkClicks {
  link: Link;
  /** Whether its numbers stay as they are. */
  isHeld: boolean;
  onHold: (isHeld: boolean) => void;
}

/** The clicks in total and by day, up to now while the page is in view and they are not held. */
export function ClicksSection({ link, isHeld, onHold }: LinkClicks) {
  const { links } = useAllText();
  const { locale } = useTranslation();
  const navigate = useNavigate();
  const days = useLocation({
    select: ({ search }) => ('days' in search && search.days === 90 ? 90 : 30),
  });
  const query = useQuery({
    queryKey: queryKeys.links.clicks(link.id, days),
    queryFn: ({ signal }) => atrium.links.getClicks(link.id, { days }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isHeld || state.status === 'error' ? false : LIVE.refetchInterval,
    refetchOnWindowFocus: !isHeld,
  });
  return (
    <Section
      title={links.clicks}
      hint={links.clicksHint}
      action={
        <Group gap="xs">
          <Button variant="default" onClick={() => onHold(!isHeld)}>
            {isHeld ? links.goOn : links.hold}
          </Button>
          <SegmentedChoice
            label={links.period}
            value={String(days)}
            options={['30', '90'].map((value) => ({ value, label: links.lastDays(Number(value)) }))}
            onChange={(value) =>
              void navigate({
                to: '.',
                search: value === '90' ? { days: 90 } : {},
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Group>
      }
    >
      <div className={classes.clicks} role="status">
        {new Intl.NumberFormat(locale).format(link.clicks)}
      </div>
      <Text size="sm" c="dimmed">
        {links.createdAt} <Time value={link.createdAt} />
      </Text>
      <Loaded query={query} skeleton={<Skeleton h={240} mt="md" />}>
        {({ data }) => <Days days={data} />}
      </Loaded>
    </Section>
  );
}

function Days({ days }: { days: ClicksByDay['data'] }) {
  const { links } = useAllText();
  const { locale } = useTranslation();
  const number = new Intl.NumberFormat(locale);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const sum = (kind: 'people' | 'bots') =>
    number.format(days.reduce((total, day) => total + day[kind], 0));
  const people = links.byPeople(sum('people'));
  const bots = links.byBots(sum('bots'));
  const clicked = days.filter((day) => day.people + day.bots > 0).toReversed();
  return (
    <Stack gap="xs" mt="md">
      <Group gap="md">
        <Text size="sm" className={classes.legend}>
          <span className={classes.peopleSign} /> {people}
        </Text>
        <Text size="sm" className={classes.legend}>
          <span className={classes.botsSign} /> {bots}
        </Text>
      </Group>
      <ClickChart days={days} label={`${links.lastDays(days.length)}: ${people}, ${bots}`} />
      {clicked.length > 0 && (
        <details className={classes.details}>
          <summary>{links.asTable}</summary>
          <Table mt="xs" tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{links.day}</Table.Th>
                <Table.Th ta="right">{links.people}</Table.Th>
                <Table.Th ta="right">{links.bots}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {clicked.map((day) => (
                <Table.Tr key={day.day}>
                  <Table.Td>{date.format(new Date(day.day))}</Table.Td>
                  <Table.Td ta="right">{number.format(day.people)}</Table.Td>
                  <Table.Td ta="right">{number.format(day.bots)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </details>
      )}
    </Stack>
  );
}
