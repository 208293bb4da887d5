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
import { TagRow } from './tag-row.tsx';
import { useTags } from './use-tags.ts';

/** The tags of a workspace, which those who write there rename, merge and delete. */
export function TagsPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { tags } = useSignedInText().listing;
  const workspace = useWorkspace(id);
  return (
    <Stack gap="lg">
      {workspace.data === undefined && <PageTitle>{tags.title}</PageTitle>}
      <Loaded query={workspace} skeleton={<Skeleton h={72} />}>
        {(data) => <Content workspace={data} />}
      </Loaded>
    </Stack>
  );
}

function Content({ workspace: { id, name, role } }: { workspace: Workspace }) {
  const { tags: texts } = useSignedInText().listing;
  const list = useTags(id);
  const canWrite = role !== 'viewer';
  return (
    <>
      <PageTitle>{texts.titleOf(name)}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/workspaces/$id" params={{ id }} size="sm">
          {name}
        </TextLink>
        <Title order={1}>{texts.title}</Title>
        {canWrite && <Text c="dimmed">{texts.explanation}</Text>}
      </Stack>
      <Loaded query={list} skeleton={<Skeleton h={200} />}>
        {(data) =>
          data.length === 0 ? (
            <Text>{texts.empty}</Text>
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
