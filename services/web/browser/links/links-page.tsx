import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { ListEnd } from '../ui/lists/list-end.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { SearchField } from '../ui/controls/search-field.tsx';
import { useList } from '../ui/lists/use-list.ts';
import { VirtualList } from '../ui/lists/virtual-list.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { usePendingDeletions } from './deletion.ts';
import { LinkRow, ROW_HEIGHT_PX } from './link-row.tsx';
import { NewLinkDialog } from './new-link-dialog.tsx';

const PAGE_SIZE = 100;
const QUERY_LENGTH_MAX = 200;

/** The short links of the account, newest first. The address says whether the form for a new one is open. */
export function LinksPage() {
  const { sections, links } = useAllText();
  const navigate = useNavigate();
  const { emailVerified } = useUser();
  const { isCreating, q } = useLocation({
    select: ({ search }) => ({
      isCreating: 'new' in search,
      q: 'q' in search ? String(search.q) : '',
    }),
  });
  const pending = usePendingDeletions();
  const list = useList(queryKeys.links.list(q), (query, options) =>
    atrium.links.listLinks({ ...query, limit: PAGE_SIZE, ...(q !== '' && { q }) }, options),
  );
  const shown = { ...list, data: list.data?.filter(({ id }) => !pending.has(id)) };
  const open = (isOpen: boolean) =>
    void navigate({ to: '/links', search: isOpen ? { new: true } : {}, resetScroll: false });
  const find = (query: string) =>
    void navigate({
      to: '/links',
      search: query === '' ? {} : { q: query },
      replace: q !== '',
      resetScroll: false,
    });
  const hasLinks = q !== '' || shown.data === undefined || shown.data.length > 0;
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group justify="space-between">
          <Title order={1}>{sections.links}</Title>
          {emailVerified && <Button onClick={() => open(true)}>{links.new}</Button>}
        </Group>
        <Text c="dimmed">{links.explanation}</Text>
      </Stack>
      <VerifyEmailNotice why={links.verifyFirst} />
      {hasLinks && (
        <SearchField
          query={q}
          isLive
          onFind={find}
          maxLength={QUERY_LENGTH_MAX}
          label={links.find}
          clearLabel={links.clear}
        />
      )}
      <Loaded query={shown} skeleton={<RowsSkeleton height={ROW_HEIGHT_PX} />}>
        {(data) =>
          data.length === 0 && !list.hasMore ? (
            <EmptyList text={q === '' ? links.none : links.noneFound(q)}>
              {q !== '' && (
                <Button variant="default" onClick={() => find('')}>
                  {links.showAll}
                </Button>
              )}
              {q === '' && emailVerified && (
                <Button variant="default" onClick={() => open(true)}>
                  {links.first}
                </Button>
              )}
            </EmptyList>
          ) : (
            <>
              <VirtualList items={data} rowHeightPx={ROW_HEIGHT_PX}>
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
