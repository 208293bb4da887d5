import type { NoteSummary } from '@atrium/client';
import { Button } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { VirtualList } from '../../ui/lists/virtual-list.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { usePeople } from '../members/use-people.ts';
import { useUser } from '../../session/user.ts';
import { useCanWrite } from '../workspaces/use-workspaces.ts';
import { type Arrangement, arrange, arrangementOf, isFiltered, toSearch } from './arrangement.ts';
import { ListControls } from './list-controls.tsx';
import { ROW_HEIGHT_PX, NoteRow } from './note-row.tsx';
import { placesOf } from './places.ts';
import { useNotes } from './use-notes.ts';

/** The notes of a workspace, sorted and filtered as the URL says. */
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
  const notes = useMemo(
    () =>
      arrange(
        (data ?? []).filter(({ isDeleted }) => isDeleted !== true),
        arrangement,
      ),
    [data, arrangement],
  );
  const places = useMemo(() => placesOf(notes), [notes]);
  const change = useChangeArrangement(arrangement);
  const canWrite = useCanWrite(workspaceId);
  const authorOf = useAuthors(notes);
  const isNarrow = useNarrow();
  const rowHeightPx = isNarrow ? ROW_HEIGHT_PX.narrow : ROW_HEIGHT_PX.wide;
  return (
    <Loaded query={list} skeleton={<RowsSkeleton rows={6} height={rowHeightPx} />}>
      {() => (
        <>
          {notes.length === 0 && !isFiltered(arrangement) ? (
            empty
          ) : (
            <>
              <ListControls workspaceId={workspaceId} arrangement={arrangement} onChange={change} />
              {notes.length === 0 ? (
                <NothingListed
                  onShowAll={() => change({ tags: [], favourites: false, shared: false })}
                />
              ) : (
                <>
                  <VirtualList items={notes} rowHeightPx={rowHeightPx}>
                    {(note) => (
                      <NoteRow
                        note={note}
                        place={places.get(note.id)}
                        author={authorOf(note)}
                        canWrite={canWrite}
                        isNarrow={isNarrow}
                      />
                    )}
                  </VirtualList>
                  <ListEnd list={{ ...list, data: notes }} />
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

/** Names who wrote a note last, unless the person has written all of them. */
function useAuthors(notes: readonly NoteSummary[]) {
  const { id: ownId } = useUser();
  const ids = notes.flatMap(({ authorId }) => authorId ?? []);
  const isShared = ids.some((id) => id !== ownId);
  const people = usePeople(isShared ? ids : []);
  return ({ authorId }: NoteSummary) => people?.get(authorId ?? '')?.name;
}

function NothingListed({ onShowAll }: { onShowAll: () => void }) {
  const { list: texts } = useSignedInText().listing;
  return (
    <EmptyList text={texts.nothing}>
      <Button variant="default" onClick={onShowAll}>
        {texts.showAll}
      </Button>
    </EmptyList>
  );
}

function useChangeArrangement(current: Arrangement) {
  const navigate = useNavigate();
  return (changed: Partial<Arrangement>) => {
    const search = toSearch({ ...current, ...changed });
    void navigate({ to: '.', search: () => search, replace: true, resetScroll: false });
  };
}
