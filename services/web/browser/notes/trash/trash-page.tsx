import type { TrashedNote, Workspace } from '@atrium/client';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { VirtualList } from '../../ui/lists/virtual-list.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useWorkspaces } from '../workspaces/use-workspaces.ts';
import { ROW_HEIGHT_PX, TrashRow } from './trash-row.tsx';
import { useTrash, useTrashActions } from './use-trash.ts';

/** The deleted notes of all workspaces, until they are gone for good. */
export function TrashPage() {
  const { trash: texts, notes } = useSignedInText();
  const list = useTrash();
  const byId = new Map((useWorkspaces().data ?? []).map((workspace) => [workspace.id, workspace]));
  const erasable = (list.data ?? []).filter(
    ({ workspaceId }) => byId.get(workspaceId)?.role === 'owner',
  );
  const [asking, setAsking] = useState<TrashedNote | 'all' | null>(null);
  const close = () => setAsking(null);
  return (
    <Stack gap="lg">
      <PageTitle>{texts.title}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/notes" size="sm">
          {notes.title}
        </TextLink>
        <Group justify="space-between">
          <Title order={1}>{texts.title}</Title>
          {erasable.length > 0 && (
            <Button variant="default" onClick={() => setAsking('all')}>
              {texts.empty.item}
            </Button>
          )}
        </Group>
        <Text c="dimmed">{texts.explanation}</Text>
      </Stack>
      <Loaded query={list} skeleton={<RowsSkeleton />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={texts.none} />
          ) : (
            <>
              <VirtualList items={data} label={texts.title} rowHeightPx={ROW_HEIGHT_PX} isMeasured>
                {(note) => (
                  <TrashRow
                    note={note}
                    workspace={byId.get(note.workspaceId)}
                    onErase={setAsking}
                  />
                )}
              </VirtualList>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
      {asking === 'all' && (
        <EmptyDialog notes={erasable} workspaces={byId} hasMore={list.hasMore} onClose={close} />
      )}
      {asking !== null && asking !== 'all' && <EraseDialog note={asking} onClose={close} />}
    </Stack>
  );
}

function EmptyDialog({
  notes,
  workspaces,
  hasMore,
  onClose,
}: {
  notes: TrashedNote[];
  workspaces: ReadonlyMap<string, Workspace>;
  /** Whether there may be more than those that the page shows. */
  hasMore: boolean;
  onClose: () => void;
}) {
  const { empty } = useSignedInText().trash;
  const { emptyTrash } = useTrashActions();
  const ids = [...new Set(notes.map(({ workspaceId }) => workspaceId))];
  const count = notes.reduce((sum, { notesBelow }) => sum + 1 + notesBelow, 0);
  const names = ids.map((id) => workspaces.get(id)?.name ?? '');
  return (
    <ConfirmDialog
      title={empty.title}
      explanation={empty.explanation(count, hasMore, names.join(', '))}
      submit={empty.submit}
      onConfirm={() => emptyTrash(ids)}
      onClose={onClose}
    />
  );
}

function EraseDialog({ note, onClose }: { note: TrashedNote; onClose: () => void }) {
  const { erase } = useSignedInText().trash;
  const actions = useTrashActions();
  return (
    <ConfirmDialog
      title={erase.title(note.title)}
      explanation={erase.explanation(note.notesBelow)}
      submit={erase.submit}
      onConfirm={() => actions.erase(note)}
      onClose={onClose}
    />
  );
}
