import type { Workspace } from '@atrium/client';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { PLAN_LIMITS } from '../../account/plan/limits.ts';
import { Meter } from '../../account/plan/meter.tsx';
import { usePlan } from '../../account/plan/use-plan.ts';
import { ButtonLink, TextLink } from '../../frame/links.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { PageTitle } from '../../frame/page-title.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { TemplateButton } from '../organising/template-button.tsx';
import { SearchBar } from '../search/search-bar.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { WorkspaceMenu } from '../workspaces/workspace-menu.tsx';
import { NoteList } from './note-list.tsx';
import { useCreateNote } from './use-create-note.ts';

/** The notes of one workspace. */
export function WorkspacePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { notes } = useSignedInText();
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{notes.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={72} />}>
        {(data) => <Content workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace }: { workspace: Workspace }) {
  const { notes, members, listing, activity } = useSignedInText();
  const navigate = useNavigate();
  const create = useCreateNote(workspace.id);
  const { name, description, noteCount, role } = workspace;
  const canWrite = role !== 'viewer';
  return (
    <>
      <PageTitle>{name}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/notes" size="sm">
          {notes.title}
        </TextLink>
        <Group justify="space-between">
          <Group gap="xs" wrap="nowrap">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <WorkspaceMenu
              workspace={workspace}
              onDeleted={() => void navigate({ to: '/notes' })}
            />
          </Group>
          <Group gap="xs">
            <ButtonLink to="/workspaces/$id/tags" params={{ id: workspace.id }} variant="default">
              {listing.tags.title}
            </ButtonLink>
            <ButtonLink
              to="/workspaces/$id/members"
              params={{ id: workspace.id }}
              variant="default"
            >
              {members.title}
            </ButtonLink>
            <ButtonLink
              to="/workspaces/$id/activity"
              params={{ id: workspace.id }}
              variant="default"
            >
              {activity.title}
            </ButtonLink>
            {canWrite && <TemplateButton workspaceId={workspace.id} />}
            {canWrite && (
              <Button loading={create.isPending} onClick={() => create.mutate()}>
                {notes.list.new}
              </Button>
            )}
          </Group>
        </Group>
        {description !== '' && <Text c="dimmed">{description}</Text>}
      </Stack>
      <SearchBar search={{ q: '', workspace: workspace.id }} />
      <NoteList
        workspaceId={workspace.id}
        empty={
          <Stack align="flex-start">
            <Text>{notes.list.empty}</Text>
            {canWrite && (
              <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
                {notes.list.new}
              </Button>
            )}
          </Stack>
        }
      />
      {role === 'owner' && <Use noteCount={noteCount} />}
    </>
  );
}

/** How many more notes the plan of the owner allows here; nothing when it has no limit. */
function Use({ noteCount }: { noteCount: number }) {
  const { list } = useSignedInText().notes;
  const { data: account } = usePlan();
  const limit = account === undefined ? null : PLAN_LIMITS[account.plan].notesPerWorkspace;
  return limit !== null && <Meter label={list.used} used={noteCount} limit={limit} />;
}
