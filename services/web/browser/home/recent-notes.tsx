import type { NoteSummary } from '@atrium/client';
import { Button, Text } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { LIST_ROW, moveInList } from '../ui/lists/list-keys.ts';
import { rowsOf } from '../ui/lists/rows-of.ts';
import { TextLink } from '../ui/controls/links.tsx';
import { Time } from '../ui/times/time.tsx';
import { useCreateNoteHere } from '../notes/list/use-create-note.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import classes from './home.module.css';
import { RecentSection } from './recent-section.tsx';

const SHOWN_MAX = 5;
/** Of each of so many workspaces the notes that changed last are compared, after those that are pinned. */
const WORKSPACES_MAX = 10;
const NOTES_MAX = 50;

async function listRecentNotes(signal: AbortSignal): Promise<NoteSummary[]> {
  const { data } = await atrium.notes.listWorkspaces({ limit: WORKSPACES_MAX }, { signal });
  const pages = await Promise.all(
    data.map(({ id }) =>
      atrium.notes.listNotes(id, { sort: 'updated', limit: NOTES_MAX }, { signal }),
    ),
  );
  return rowsOf(pages)
    .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
    .slice(0, SHOWN_MAX);
}

export function useRecentNotes() {
  return useQuery({
    queryKey: queryKeys.workspaces.recentNotes,
    queryFn: ({ signal }) => listRecentNotes(signal),
  });
}

/** The notes that changed last. */
export function RecentNotes({ query }: { query: UseQueryResult<NoteSummary[]> }) {
  const { notes: texts } = useSignedInText().home;
  return (
    <RecentSection texts={texts} to="/notes" query={query} emptyAction={<CreateFirstNoteButton />}>
      {({ id, title, updatedAt }) => (
        <li key={id} className={classes.item}>
          <TextLink
            to="/notes/$id"
            params={{ id }}
            size="sm"
            truncate
            className={classes.name}
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            {title}
          </TextLink>
          <Text size="sm" c="dimmed" className={classes.details}>
            {texts.changed} <Time value={updatedAt} />
          </Text>
        </li>
      )}
    </RecentSection>
  );
}

function CreateFirstNoteButton() {
  const { notes } = useSignedInText();
  const { create, isPending } = useCreateNoteHere();
  return (
    <Button size="xs" loading={isPending} onClick={create}>
      {notes.list.new}
    </Button>
  );
}
