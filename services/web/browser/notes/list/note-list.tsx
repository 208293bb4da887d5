import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { NoteSummary } from '@atrium/client';
import { ListEnd } from '../../frame/list-end.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import rows from '../../frame/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import {
  type Arrangement,
  arrangementOf,
  isFiltered,
  pinnedFirst,
  toSearch,
} from './arrangement.ts';
import { ListControls } from './list-controls.tsx';
import { ROW_HEIGHT_PX, NoteRow } from './note-row.tsx';
import classes from './list.module.css';
import { useNotes } from './use-notes.ts';

/** The notes of a workspace, sorted and filtered as the address says. */
export function NoteList({
  workspaceId,
  empty,
  foot,
}: {
  workspaceId: string;
  empty: ReactNode;
  /** Below the notes, and only with them: their number would move it. */
  foot: ReactNode;
}) {
  const search = useLocation({ select: (location): object => location.search });
  const arrangement = useMemo(() => arrangementOf(search), [search]);
  const list = useNotes(workspaceId, arrangement);
  const { data } = list;
  const notes = useMemo(() => pinnedFirst(data ?? []), [data]);
  const change = useChangeArrangement(arrangement);
  return (
    <Loaded query={list} skeleton={<RowsSkeleton />}>
      {() => (
        <>
          {notes.length === 0 && !isFiltered(arrangement) ? (
            empty
          ) : (
            <>
              <ListControls workspaceId={workspaceId} arrangement={arrangement} onChange={change} />
              {notes.length === 0 ? (
                <NothingListed onShowAll={() => change({ tags: [], favourites: false })} />
              ) : (
                <>
                  <Rows notes={notes} />
                  <ListEnd list={list} />
                </>
              )}
            </>
          )}
          {foot}
        </>
      )}
    </Loaded>
  );
}

function NothingListed({ onShowAll }: { onShowAll: () => void }) {
  const { list: texts } = useSignedInText().listing;
  return (
    <Stack align="flex-start" role="status">
      <Text>{texts.nothing}</Text>
      <Button variant="default" onClick={onShowAll}>
        {texts.showAll}
      </Button>
    </Stack>
  );
}

function useChangeArrangement(current: Arrangement) {
  const navigate = useNavigate();
  return (changed: Partial<Arrangement>) => {
    const search = toSearch({ ...current, ...changed });
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
