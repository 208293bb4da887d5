import { Skeleton, Stack } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { toggled } from '../../ui/lists/toggled.ts';
import { useList } from '../../ui/lists/use-list.ts';
import { VirtualList } from '../../ui/lists/virtual-list.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { AccountPage } from '../account-page.tsx';
import { EventRow, ROW_HEIGHT_PX } from './event-row.tsx';
import { FilterBar, isFiltered } from './filter-bar.tsx';
import { type Filters, filtersOf, toQuery } from './filters.ts';

const PAGE_SIZE = 100;

/** What happened to the account, newest first. The URL has the filters. */
export function ActivityPage() {
  const { activity } = useAllText().account;
  const navigate = useNavigate();
  const filters = filtersOf(useLocation({ select: ({ search }) => search }));
  const list = useList(queryKeys.account.activity(filters), (query, options) =>
    atrium.auth.listAuditEvents({ ...query, ...toQuery(filters), limit: PAGE_SIZE }, options),
  );
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => setOpen((ids) => toggled(ids, id)), []);
  const setFilters = (search: Filters) =>
    void navigate({ to: '.', search: () => search, replace: true, resetScroll: false });
  return (
    <AccountPage
      title={activity.title}
      explanation={
        <>
          {activity.explanation}{' '}
          <TextLink to="/account/security" underline="always">
            {activity.changePassword}
          </TextLink>
        </>
      }
    >
      <FilterBar filters={filters} onChange={setFilters} />
      <Loaded query={list} skeleton={<ActivitySkeleton />}>
        {(events) =>
          events.length === 0 ? (
            <EmptyList text={isFiltered(filters) ? activity.nothingFound : activity.nothing} />
          ) : (
            <>
              <VirtualList items={events} rowHeightPx={ROW_HEIGHT_PX} isMeasured>
                {(event) => (
                  <EventRow event={event} isOpen={open.has(event.id)} onToggle={toggle} />
                )}
              </VirtualList>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </AccountPage>
  );
}

function ActivitySkeleton() {
  return (
    <Stack gap={1}>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} h={64} />
      ))}
    </Stack>
  );
}
