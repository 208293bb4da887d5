import type { Workspace } from '@atrium/client';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { Box, Button, Group, Stack, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Meter } from '../../ui/controls/meter.tsx';
import { usePlan } from '../../account/plan/use-plan.ts';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FavouritesSection } from '../favourites/favourites-section.tsx';
import { SearchBar } from '../search/search-bar.tsx';
import { SearchResults } from '../search/search-results.tsx';
import { searchOf } from '../search/search.ts';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { WorkspaceDialog } from '../managing/workspace-dialog.tsx';
import { WorkspaceRow } from './workspace-row.tsx';

/** All workspaces, or what a search of their notes has found. */
export function NotesPage() {
  const { notes, trash } = useSignedInText();
  const search = searchOf(useLocation({ select: (location) => location.search }));
  const [isCreating, setCreating] = useState(false);
  return (
    <Stack gap="lg">
      <PageTitle>{notes.title}</PageTitle>
      <Group justify="space-between">
        <Title order={1}>{notes.title}</Title>
        <Group gap="xs">
          <ButtonLink to="/trash" variant="default">
            {trash.title}
          </ButtonLink>
          <Button onClick={() => setCreating(true)}>{notes.workspaces.new}</Button>
        </Group>
      </Group>
      <SearchBar search={search} />
      {search.q === '' ? (
        <>
          <FavouritesSection />
          <Title order={2} size="h4" mb={-8}>
            {notes.workspaces.title}
          </Title>
          <WorkspaceList onCreate={() => setCreating(true)} />
        </>
      ) : (
        <SearchResults search={search} />
      )}
      {isCreating && <WorkspaceDialog onClose={() => setCreating(false)} />}
    </Stack>
  );
}

function WorkspaceList({ onCreate }: { onCreate: () => void }) {
  const { workspaces: texts } = useSignedInText().notes;
  const list = useWorkspaces();
  return (
    <Loaded query={list} skeleton={<RowsSkeleton />}>
      {(data) =>
        data.length === 0 ? (
          <EmptyList text={texts.empty}>
            <Button variant="default" onClick={onCreate}>
              {texts.new}
            </Button>
          </EmptyList>
        ) : (
          <>
            <ul className={rows.list}>
              {data.map((workspace) => (
                <WorkspaceRow key={workspace.id} workspace={workspace} />
              ))}
            </ul>
            <ListEnd list={list} />
            {!list.hasMore && <WorkspaceUsage workspaces={data} />}
          </>
        )
      }
    </Loaded>
  );
}

/** How many more workspaces the plan allows, which counts only one's own; nothing when it has no limit. */
function WorkspaceUsage({ workspaces }: { workspaces: Workspace[] }) {
  const { workspaces: texts } = useSignedInText().notes;
  const { data: account } = usePlan();
  const limit = account === undefined ? Infinity : PLAN_LIMITS[account.plan].workspaces;
  if (limit === Infinity) return null;
  const owned = workspaces.filter(({ role }) => role === 'owner');
  return (
    <Box maw={360}>
      <Meter label={texts.used} used={owned.length} limit={limit} />
    </Box>
  );
}
