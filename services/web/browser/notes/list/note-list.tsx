import { Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { NoteSummary } from '@atrium/client';
import { ListEnd } from '../../frame/list-end.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import rows from '../../frame/rows.module.css';
import { localeOf } from '../../frame/time-text.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import { arrange, type Arrangement, arrangementOf, isListed, SORTS, tagsOf } from './arrange.ts';
import { ROW_HEIGHT_PX, NoteRow } from './note-row.tsx';
import classes from './list.module.css';
import { useNotes } from './use-notes.ts';

/** The notes of a workspace, sorted and filtered as the address says. */
export function NoteList({ workspaceId, empty }: { workspaceId: string; empty: ReactNode }) {
  const list = useNotes(workspaceId);
  const { list: texts } = useSignedInText().notes;
  const locale = localeOf(useTranslation().language);
  const arrangement = arrangementOf(useLocation({ select: ({ search }) => search }));
  const { data, hasMore, isLoadingMore, loadMore, error } = list;
  const isWholeNeeded = !isListed(arrangement);
  useEffect(() => {
    if (isWholeNeeded && hasMore && !isLoadingMore && error === null) loadMore();
  }, [isWholeNeeded, hasMore, isLoadingMore, loadMore, error]);
  const { sort, tag } = arrangement;
  const shown = useMemo(
    () => arrange(data ?? [], { sort, tag }, locale),
    [data, sort, tag, locale],
  );
  const tags = useMemo(() => tagsOf(data ?? [], locale), [data, locale]);
  const change = useChangeArrangement(arrangement);
  return (
    <Loaded query={list} skeleton={<RowsSkeleton />}>
      {(all) =>
        all.length === 0 ? (
          empty
        ) : (
          <>
            <Group align="flex-end">
              <NativeSelect
                label={texts.sort}
                value={sort}
                data={SORTS.map((value) => ({ value, label: texts.sorts[value] }))}
                onChange={(event) => change({ sort: event.currentTarget.value })}
              />
              <NativeSelect
                label={texts.tag}
                value={tag ?? ''}
                data={[
                  { value: '', label: texts.allTags },
                  ...(tag === undefined || tags.includes(tag) ? tags : [tag, ...tags]),
                ]}
                onChange={(event) => change({ tag: event.currentTarget.value })}
              />
            </Group>
            {shown.length === 0 && tag !== undefined && !hasMore ? (
              <Stack align="flex-start" role="status">
                <Text>{texts.emptyTag(tag)}</Text>
                <Button variant="default" onClick={() => change({ tag: '' })}>
                  {texts.showAll}
                </Button>
              </Stack>
            ) : (
              <>
                <Rows notes={shown} />
                <ListEnd list={{ ...list, data: shown }} />
              </>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function useChangeArrangement(current: Arrangement) {
  const navigate = useNavigate();
  return (changed: Record<string, string>) => {
    const { sort, tag } = arrangementOf({ ...current, ...changed });
    const search = { ...(sort !== 'newest' && { sort }), ...(tag !== undefined && { tag }) };
    void navigate({ to: '.', search: () => search, replace: true, resetScroll: false });
  };
}

/** Only the rows in view, and a few around them, are in the page. */
function Rows({ notes }: { notes: NoteSummary[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes these components
  const virtualizer = useWindowVirtualizer({
    count: notes.length,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (index) => notes[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
  });
  return (
    <ul
      ref={list}
      className={`${rows.list} ${classes.virtual}`}
      style={{ height: virtualizer.getTotalSize() + 2 }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const note = notes[index];
        return (
          note !== undefined && (
            <NoteRow
              key={key}
              note={note}
              position={index + 1}
              total={notes.length}
              top={start - top}
            />
          )
        );
      })}
    </ul>
  );
}

function RowsSkeleton() {
  return (
    <Stack gap={1}>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} h={ROW_HEIGHT_PX} />
      ))}
    </Stack>
  );
}
