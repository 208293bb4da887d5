import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { ListEnd } from '../ui/lists/list-end.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { SearchField } from '../ui/controls/search-field.tsx';
import { SegmentedChoice } from '../ui/controls/segmented-choice.tsx';
import { useList } from '../ui/lists/use-list.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import { VirtualList } from '../ui/lists/virtual-list.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';
import { VerifiedButton } from '../session/verified-button.tsx';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { usePendingDeletions } from './deletion.ts';
import classes from './link-list.module.css';
import { LinkRow, ROW_HEIGHT_PX } from './link-row.tsx';
import { NewLinkDialog } from './new-link-dialog.tsx';
import { useClicksOverview } from './use-clicks-overview.ts';

const PAGE_SIZE = 100;
const QUERY_LENGTH_MAX = 200;
const SORTS = ['created', 'clicks'] as const;

/** What the URL and the request say beside the defaults. */
function searchOf(q: string, sort: string) {
  return { ...(q !== '' && { q }), ...(sort === 'clicks' && { sort: 'clicks' as const }) };
}

/** The short links of the account, newest or most clicked first. The URL says whether the form for a new one is open. */
export function LinksPage() {
  const { sections, links } = useAllText();
  const navigate = useNavigate();
  const { emailVerified } = useUser();
  const { isCreating, q, sort } = useLocation({
    select: ({ search }) => ({
      isCreating: 'new' in search,
      q: 'q' in search ? String(search.q) : '',
      sort: SORTS.find((known) => 'sort' in search && search.sort === known) ?? 'created',
    }),
  });
  const rowHeightPx = useNarrow() ? ROW_HEIGHT_PX.narrow : ROW_HEIGHT_PX.wide;
  const pending = usePendingDeletions();
  const asked = searchOf(q, sort);
  const list = useList(queryKeys.links.list(asked), (query, options) =>
    atrium.links.listLinks({ ...query, ...asked, limit: PAGE_SIZE }, options),
  );
  const shown = { ...list, data: list.data?.filter(({ id }) => !pending.has(id)) };
  const show = (search: object, replace: boolean) =>
    void navigate({ to: '/links', search, replace, resetScroll: false });
  // Going back leads past a form that was closed.
  const open = (isOpen: boolean) => show(isOpen ? { ...asked, new: true } : asked, !isOpen);
  const find = (query: string) => show(searchOf(query, sort), q !== '');
  const order = (next: string) => show(searchOf(q, next), true);
  const hasLinks = q !== '' || shown.data === undefined || shown.data.length > 0;
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group justify="space-between">
          <Title order={1}>{sections.links}</Title>
          <VerifiedButton onClick={() => open(true)}>{links.new}</VerifiedButton>
        </Group>
        <Totals />
      </Stack>
      <VerifyEmailNotice why={links.verifyFirst} />
      {hasLinks && (
        <div className={classes.controls}>
          <SearchField
            query={q}
            isLive
            onFind={find}
            maxLength={QUERY_LENGTH_MAX}
            label={links.find}
            clearLabel={links.clear}
          />
          <SegmentedChoice
            label={links.sortBy}
            value={sort}
            options={SORTS.map((value) => ({ value, label: links.sorts[value] }))}
            onChange={order}
          />
        </div>
      )}
      <Loaded query={shown} skeleton={<RowsSkeleton rows={6} height={rowHeightPx} />}>
        {(data) =>
          data.length === 0 && !list.hasMore ? (
            <EmptyList text={q === '' ? links.none : links.noneFound(q)}>
              {q !== '' && (
                <Button variant="default" onClick={() => find('')}>
                  {links.showAll}
                </Button>
              )}
              {q === '' && (
                <VerifiedButton variant="default" onClick={() => open(true)}>
                  {links.first}
                </VerifiedButton>
              )}
            </EmptyList>
          ) : (
            <>
              <VirtualList items={data} rowHeightPx={rowHeightPx}>
                {(link) => <LinkRow link={link} />}
              </VirtualList>
              <ListEnd list={shown} />
            </>
          )
        }
      </Loaded>
      {isCreating && emailVerified && <NewLinkDialog onClose={() => open(false)} />}
    </Stack>
  );
}

/** How many links there are and how often they were clicked; what links are for until there are some. */
function Totals() {
  const { links } = useAllText();
  const number = new Intl.NumberFormat(useTranslation().locale);
  const { data } = useClicksOverview();
  return (
    <Text c="dimmed">
      {data === undefined || data.linkCount === 0
        ? links.explanation
        : links.totals(
            links.counted(data.linkCount, number.format(data.linkCount)),
            links.clicked(data.total, number.format(data.total)),
          )}
    </Text>
  );
}
