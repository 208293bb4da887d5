import { Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ButtonLink } from '../frame/links.tsx';
import { Loaded } from '../frame/loaded.tsx';
import { Section } from '../frame/section.tsx';
import classes from './home.module.css';

/** The first few of one kind of things, and the way to all of them. */
export function RecentSection<Item>({
  texts,
  to,
  query,
  children,
}: {
  texts: { title: string; all: string; empty: string };
  to: string;
  query: UseQueryResult<Item[]>;
  children: (item: Item) => ReactNode;
}) {
  return (
    <Section
      title={texts.title}
      action={
        <ButtonLink to={to} variant="default" size="xs">
          {texts.all}
        </ButtonLink>
      }
    >
      <Loaded query={query} skeleton={<RecentSkeleton />}>
        {(items) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.empty}
            </Text>
          ) : (
            <ul className={classes.list}>{items.map(children)}</ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function RecentSkeleton() {
  return (
    <Stack gap="xs">
      <Skeleton h={24} />
      <Skeleton h={24} />
      <Skeleton h={24} />
    </Stack>
  );
}
