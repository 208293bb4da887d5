import type { Workspace } from '@atrium/client';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Meter } from '../../ui/controls/meter.tsx';
import { usePlan } from '../../account/plan/use-plan.ts';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { TemplateButton } from '../organising/template-button.tsx';
import { SearchBar } from '../search/search-bar.tsx';
import { SearchResults } from '../search/search-results.tsx';
import { searchOf } from '../search/search.ts';
import { useOpened } from '../use-opened.ts';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { WorkspaceHeader } from '../workspaces/workspace-header.tsx';
import { WorkspaceMenu } from '../managing/workspace-menu.tsx';
import { NoteList } from './note-list.tsx';
import classes from './list.module.css';
import { useCreateNote } from './use-create-note.ts';

const NEARLY_FULL = 0.8;

/** The notes of one workspace. */
export function WorkspacePage({ id }: { id: string }) {
  const { notes } = useSignedInText();
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{notes.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={116} />}>
        {(data) => <Content key={id} workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace }: { workspace: Workspace }) {
  const { notes } = useSignedInText();
  const navigate = useNavigate();
  const create = useCreateNote();
  const { q } = searchOf(useLocation({ select: ({ search }) => search }));
  const { openForNow } = useOpened();
  const { id, noteCount, role } = workspace;
  useEffect(() => openForNow([id]), [id, openForNow]);
  const canWrite = role !== 'viewer';
  return (
    <>
      <WorkspaceHeader
        workspace={workspace}
        menu={
          <WorkspaceMenu workspace={workspace} onDeleted={() => void navigate({ to: '/notes' })} />
        }
        action={
          canWrite && (
            <Group gap="xs">
              <TemplateButton workspaceId={id} />
              <Button loading={create.isPending} onClick={() => create.mutate(() => id)}>
                {notes.list.new}
              </Button>
            </Group>
          )
        }
      />
      <SearchBar search={{ q, workspace: undefined }} />
      {q === '' ? (
        <NoteList
          workspaceId={id}
          foot={role === 'owner' && <NoteUsage noteCount={noteCount} />}
          empty={
            <EmptyList text={notes.list.empty}>
              {canWrite && (
                <Button
                  variant="default"
                  loading={create.isPending}
                  onClick={() => create.mutate(() => id)}
                >
                  {notes.list.new}
                </Button>
              )}
            </EmptyList>
          }
        />
      ) : (
        <SearchResults search={{ q, workspace: id }} />
      )}
    </>
  );
}

/** How many more notes the plan of the owner allows here, in view once they are few; nothing without a limit. */
function NoteUsage({ noteCount }: { noteCount: number }) {
  const { list } = useSignedInText().notes;
  const { data: account } = usePlan();
  const limit = account === undefined ? Infinity : PLAN_LIMITS[account.plan].notesPerWorkspace;
  if (!Number.isFinite(limit)) return null;
  return (
    <div className={classes.use} data-nearly-full={noteCount > limit * NEARLY_FULL}>
      <Meter label={list.used} used={noteCount} limit={limit} />
    </div>
  );
}
