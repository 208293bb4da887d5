import type { Workspace } from '@atrium/client';
import { Skeleton, Stack } from '@mantine/core';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { WorkspaceHeader } from '../workspaces/workspace-header.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { MemberRow } from './member-row.tsx';
import { useMembers } from './use-members.ts';
import { usePeople } from './use-people.ts';

/** Who is in a workspace and what they may do; its owner changes that, and invites others. */
export function MembersPage({ id }: { id: string }) {
  const { members } = useSignedInText();
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{members.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={180} />}>
        {(data) => <Content key={id} workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace }: { workspace: Workspace }) {
  const { members: texts } = useSignedInText();
  const user = useUser();
  const list = useMembers(workspace.id);
  const people = usePeople(list.data?.map(({ userId }) => userId) ?? []);
  return (
    <>
      <WorkspaceHeader
        workspace={workspace}
        page={{
          title: texts.title,
          tabTitle: texts.titleOf(workspace.name),
          explanation: texts.explanation,
        }}
      />
      <Loaded query={list} skeleton={<Skeleton h={68} />}>
        {(data) => (
          <>
            <ul className={rows.list} aria-label={texts.title}>
              {data.map((member) => (
                <MemberRow
                  key={member.userId}
                  workspace={workspace}
                  member={member}
                  person={member.userId === user.id ? user : people?.get(member.userId)}
                />
              ))}
            </ul>
            {list.hasMore && <ListEnd list={list} />}
          </>
        )}
      </Loaded>
      {workspace.role === 'owner' && list.data !== undefined && (
        <InvitationsSection workspace={workspace} memberCount={list.data.length} />
      )}
    </>
  );
}
