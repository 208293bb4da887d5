import type { VersionSummary } from '@atrium/client';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { TextLink } from '../../ui/controls/links.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import type { ListState } from '../../ui/lists/use-list.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { usePeople } from '../members/use-people.ts';
import { useCanWrite } from '../workspaces/use-workspaces.ts';
import classes from './history.module.css';
import { NameVersionDialog } from './name-version-dialog.tsx';
import { Changes } from './changes.tsx';
import { selectionOf } from './selection.ts';
import { useNote, useVersions } from './use-history.ts';
import { VersionList } from './version-list.tsx';

/** What a note said before, by whom, and what has changed since. */
export function HistoryPage({ id }: { id: string }) {
  const { history } = useSignedInText();
  const note = useNote(id);
  const list = useVersions(id);
  const [isNaming, setNaming] = useState(false);
  const canWrite = useCanWrite(note.data?.workspaceId ?? '');
  return (
    <Stack gap="lg">
      <PageTitle>
        {note.data === undefined ? history.title : history.titleOf(note.data.title)}
      </PageTitle>
      <Stack gap={4}>
        <TextLink to="/notes/$id" params={{ id }} size="sm">
          {note.data?.title ?? history.note}
        </TextLink>
        <Group justify="space-between">
          <Title order={1}>{history.title}</Title>
          {canWrite && (
            <Button variant="default" onClick={() => setNaming(true)}>
              {history.name.item}
            </Button>
          )}
        </Group>
        <Text c="dimmed">{history.explanation}</Text>
      </Stack>
      <Loaded query={list} skeleton={<Skeleton h={400} />}>
        {(versions) => <Versions versions={versions} list={list} canRestore={canWrite} />}
      </Loaded>
      {isNaming && note.data !== undefined && (
        <NameVersionDialog note={note.data} onClose={() => setNaming(false)} />
      )}
    </Stack>
  );
}

function Versions({
  versions,
  list,
  canRestore,
}: {
  versions: VersionSummary[];
  list: ListState<VersionSummary>;
  canRestore: boolean;
}) {
  const people = usePeople(versions.flatMap(({ authorId }) => authorId ?? []));
  const search = useLocation({ select: (location) => location.search });
  const selection = selectionOf(versions, search);
  if (selection === null) return null;
  return (
    <div className={classes.page}>
      <div className={classes.versions}>
        <VersionList versions={versions} selected={selection.version} people={people} />
        {list.hasMore && <ListEnd list={list} />}
      </div>
      <Changes versions={versions} selection={selection} canRestore={canRestore} />
    </div>
  );
}
