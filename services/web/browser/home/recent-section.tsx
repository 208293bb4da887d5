import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import classes from './home.module.css';

/** The first few of one kind of things, and the way to all of them or to the first one. */
export function RecentSection<Item>({
  texts,
  to,
  query,
  emptyAction,
  children,
}: {
  texts: { title: string; all: string; empty: string };
  to: string;
  query: UseQueryResult<Item[]>;
  /** Makes the first one. */
  emptyAction: ReactNode;
  children: (item: Item) => ReactNode;
}) {
  if (query.data?.length === 0) {
    return <Section title={texts.title} hint={texts.empty} action={emptyAction} />;
  }
  return (
    <Section
      title={texts.title}
      action={
        <ButtonLink to={to} variant="default" size="xs">
          {texts.all}
        </ButtonLink>
      }
    >
      <Loaded query={query} skeleton={null}>
        {(items) => <ul className={classes.list}>{items.map(children)}</ul>}
      </Loaded>
    </Section>
  );
}
