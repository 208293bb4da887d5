import type { Workspace } from '@atrium/client';
import { Skeleton, Stack } from '@mantine/core';
import { queryKeys } from '../../session/query-keys.ts';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { VirtualList } from '../../ui/lists/virtual-list.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { usePeople } from '../members/use-people.ts';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { WorkspaceHeader } from '../workspaces/workspace-header.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { ActivityRow, ROW_HEIGHT_PX } from './activity-row.tsx';

const PAGE_SIZE = 100;

/** Who did what in a workspace, newest first. */
export function ActivityPage({ id }: { id: string }) {
  const { activity } = useSignedInText();
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{activity.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={180} />}>
        {(data) => <Content key={id} workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace }: { workspace: Workspace }) {
  const { id, name } = workspace;
  const { activity } = useSignedInText();
  const list = useList(queryKeys.workspaces.activity(id), (query, options) =>
    workspaces.listActivity(id, { ...query, limit: PAGE_SIZE }, options),
  );
  const ids = list.data?.flatMap(({ userId, memberId }) => [userId ?? [], memberId ?? []].flat());
  const people = usePeople(ids ?? []);
  return (
    <>
      <WorkspaceHeader
        workspace={workspace}
        page={{
          title: activity.title,
          tabTitle: activity.titleOf(name),
          explanation: activity.explanation,
        }}
      />
      <Loaded query={list} skeleton={<Skeleton h={320} />}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyList text={activity.nothing} />
          ) : (
            <>
              <VirtualList
                items={entries}
                label={activity.title}
                rowHeightPx={ROW_HEIGHT_PX}
                isMeasured
              >
                {(entry) => <ActivityRow entry={entry} people={people} />}
              </VirtualList>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
