import type { Workspace } from '@atrium/client';
import { Skeleton, Stack } from '@mantine/core';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { WorkspaceHeader } from '../workspaces/workspace-header.tsx';
import { TagRow } from './tag-row.tsx';
import { useTags } from './use-tags.ts';

/** The tags of a workspace, which those who write there rename, merge and delete. */
export function TagsPage({ id }: { id: string }) {
  const { tags } = useSignedInText().listing;
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{tags.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={180} />}>
        {(data) => <Content key={id} workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace }: { workspace: Workspace }) {
  const { id, name, role } = workspace;
  const { tags: texts } = useSignedInText().listing;
  const list = useTags(id);
  const canWrite = role !== 'viewer';
  return (
    <>
      <WorkspaceHeader
        workspace={workspace}
        page={{
          title: texts.title,
          tabTitle: texts.titleOf(name),
          explanation: canWrite ? texts.explanation : '',
        }}
      />
      <Loaded query={list} skeleton={<Skeleton h={200} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={texts.empty} />
          ) : (
            <>
              <ul className={rows.list} aria-label={texts.title}>
                {data.map((tag) => (
                  <TagRow key={tag.name} workspaceId={id} tag={tag} canWrite={canWrite} />
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
