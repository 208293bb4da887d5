import type { NoteSummary } from '@atrium/client';
import { Button, Group } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { RowLink } from '../ui/lists/row-link.tsx';
import { rowsOf } from '../ui/lists/rows-of.ts';
import rows from '../ui/lists/rows.module.css';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { Time } from '../ui/times/time.tsx';
import { useCreateNoteHere, useCreateWelcomeNote } from '../notes/list/use-create-note.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import classes from './home.module.css';

const SHOWN_MAX = 6;
/** So many workspaces, and so many notes of each, are compared: pinned ones, then those that changed last. */
const WORKSPACES_MAX = 10;
const NOTES_MAX = 50;

type RecentNote = NoteSummary & { workspaceName: string };

async function listRecentNotes(signal: AbortSignal): Promise<RecentNote[]> {
  const { data } = await atrium.notes.listWorkspaces({ limit: WORKSPACES_MAX }, { signal });
  const pages = await Promise.all(
    data.map(async ({ id, name }) => {
      const query = { sort: 'updated', limit: NOTES_MAX } as const;
      const page = await atrium.notes.listNotes(id, query, { signal });
      return { data: page.data.map((note) => ({ ...note, workspaceName: name })) };
    }),
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
export function RecentNotes({ query }: { query: UseQueryResult<RecentNote[]> }) {
  const { notes: texts } = useSignedInText().home;
  if (query.data?.length === 0) {
    return <Section title={texts.firstTitle} hint={texts.empty} action={<FirstNoteButtons />} />;
  }
  return (
    <Section
      title={texts.title}
      action={
        <ButtonLink to="/notes" variant="default" size="xs">
          {texts.all}
        </ButtonLink>
      }
    >
      <Loaded query={query} skeleton={null}>
        {(notes) => (
          <ul className={classes.list}>
            {notes.map(({ id, title, workspaceName, updatedAt }) => (
              <li key={id} className={`${rows.item} ${classes.item}`}>
                <RowLink to="/notes/$id" params={{ id }}>
                  {title}
                </RowLink>
                <span className={classes.details}>
                  <span className={classes.place}>{texts.in(workspaceName)}</span>
                  <span className={classes.time}>
                    {' · '}
                    <Time value={updatedAt} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

/** Opens a new note, or one that shows what can be done. */
function FirstNoteButtons() {
  const { notes, home } = useSignedInText();
  const first = useCreateNoteHere();
  const welcome = useCreateWelcomeNote();
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" loading={welcome.isPending} onClick={welcome.create}>
        {home.notes.tour}
      </Button>
      <Button size="xs" loading={first.isPending} onClick={first.create}>
        {notes.list.new}
      </Button>
    </Group>
  );
}
