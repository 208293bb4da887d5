import type { SearchResult } from '@atrium/client';
import { Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { serviceUrls } from '../../platform/service-urls.ts';
import { CopyAs } from '../../ui/controls/copy-as.tsx';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { listState } from '../../ui/lists/use-list.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import rows from '../../ui/lists/rows.module.css';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import type { Search } from './search.ts';
import { Snippet } from './snippet.tsx';

/** What a search has found, the best first. */
export function SearchResults({ search }: { search: Search }) {
  const { search: texts } = useSignedInText().notes;
  const query = useInfiniteQuery({
    queryKey: queryKeys.notes.search(search),
    queryFn: async ({ pageParam: cursor, signal }) =>
      await atrium.notes.searchNotes({ ...search, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const { q, workspace } = search;
  const given = { q, ...(workspace !== undefined && { workspace }) };
  const [first] = query.data?.pages ?? [];
  const results = query.data?.pages.flatMap((page) => page.results);
  const list = listState(query, results);
  return (
    <>
      <Scope search={search} />
      <Loaded query={list} skeleton={<Skeleton h={240} />}>
        {(found) =>
          found.length === 0 ? (
            <NothingFound search={search} />
          ) : (
            <>
              <Group justify="space-between" align="flex-start" gap="xs">
                <Stack gap={4} role="status">
                  <Text size="sm">{texts.found(first?.total ?? 0)}</Text>
                  {typeof first?.didYouMean === 'string' && (
                    <Text size="sm">{texts.didYouMean(first.didYouMean)}</Text>
                  )}
                  {first?.isPartial === true && <Text size="sm">{texts.partial}</Text>}
                </Stack>
                <CopyAs
                  size="compact-sm"
                  method="GET"
                  url={`${serviceUrls.notes}/api/search?${new URLSearchParams(given).toString()}`}
                  code={`const { results } = await atrium.notes.searchNotes(${JSON.stringify(given)});`}
                />
              </Group>
              <ul className={rows.list}>
                {found.map((result) => (
                  <ResultRow key={result.id} result={result} />
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function ResultRow({ result }: { result: SearchResult }) {
  const { search: texts } = useSignedInText().notes;
  const { id, title, snippet, workspaceName } = result;
  return (
    <li className={rows.item}>
      <RowLink to="/notes/$id" params={{ id }}>
        {title}
      </RowLink>
      <Snippet>{snippet}</Snippet>
      <Text size="sm" c="dimmed">
        {texts.inWorkspace(workspaceName)}
      </Text>
    </li>
  );
}

/** Which notes are searched. */
function Scope({ search: { q, workspace } }: { search: Search }) {
  const { search: texts } = useSignedInText().notes;
  const navigate = useNavigate();
  const { data = [] } = useWorkspaces();
  return (
    <NativeSelect
      label={texts.where}
      maw={320}
      value={workspace ?? ''}
      data={[
        { value: '', label: texts.everywhere },
        ...data.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        const search = { q, ...(value !== '' && { workspace: value }) };
        void navigate({ to: '/notes', search, replace: true, resetScroll: false });
      }}
    />
  );
}

function NothingFound({ search: { q, workspace } }: { search: Search }) {
  const { search: texts } = useSignedInText().notes;
  const navigate = useNavigate();
  const { data = [] } = useWorkspaces();
  const name = data.find(({ id }) => id === workspace)?.name;
  return (
    <EmptyList text={name === undefined ? texts.nothingFound(q) : texts.nothingFoundIn(q, name)}>
      <Text ta="center" c="dimmed">
        {texts.widen}
      </Text>
      {workspace !== undefined && (
        <Button
          variant="default"
          onClick={() => void navigate({ to: '/notes', search: { q }, replace: true })}
        >
          {texts.widenToAll}
        </Button>
      )}
    </EmptyList>
  );
}
