import type { Workspace } from '@atrium/client';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { TextLink } from '../../frame/links.tsx';
import { ListEnd } from '../../frame/list-end.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { PageTitle } from '../../frame/page-title.tsx';
import rows from '../../frame/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { InvitationsSection } from './invitations-section.tsx';
import { MemberRow } from './member-row.tsx';
import { useMembers } from './use-members.ts';
import { usePeople } from './use-people.ts';

/** Who is in a workspace and what they may do; its owner changes that, and invites others. */
export function MembersPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { members } = useSignedInText();
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{members.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={72} />}>
        {(data) => <Content workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace }: { workspace: Workspace }) {
  const { members: texts } = useSignedInText();
  const list = useMembers(workspace.id);
  const people = usePeople(list.data?.map(({ userId }) => userId) ?? []);
  return (
    <>
      <PageTitle>{texts.titleOf(workspace.name)}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/workspaces/$id" params={{ id: workspace.id }} size="sm">
          {workspace.name}
        </TextLink>
        <Title order={1}>{texts.title}</Title>
        <Text c="dimmed">{texts.explanation}</Text>
      </Stack>
      <Loaded query={list} skeleton={<Skeleton h={68} />}>
        {(data) => (
          <>
            <ul className={rows.list} aria-label={texts.title}>
              {data.map((member) => (
                <MemberRow
                  key={member.userId}
                  workspace={workspace}
                  member={member}
                  person={people?.get(member.userId)}
                />
              ))}
            </ul>
            {list.hasMore && <ListEnd list={list} />}
          </>
        )}
      </Loaded>
      {workspace.role === 'owner' && (
        <InvitationsSection workspace={workspace} memberCount={list.data?.length ?? 1} />
      )}
    </>
  );
}
