import type { TrashedNote, Workspace } from '@atrium/client';
import { Box, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { memo } from 'react';
import { LIST_ROW, moveInList } from '../../ui/lists/list-keys.ts';
import { Time } from '../../ui/times/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTrashActions } from './use-trash.ts';

export const ROW_HEIGHT_PX = 72;

export const TrashRow = memo(function TrashRow({
  note,
  workspace,
  onErase,
}: {
  note: TrashedNote;
  workspace: Workspace | undefined;
  onErase: (note: TrashedNote) => void;
}) {
  const { trash: texts } = useSignedInText();
  const actions = useTrashActions();
  const restore = useMutation({ mutationFn: () => actions.restore(note) });
  const { title, notesBelow, deletedAt, purgedAt } = note;
  return (
    <Group justify="space-between" gap="xs">
      <Box flex="1 1 240px">
        <Text fw={500}>
          {title}
          {notesBelow > 0 && (
            <Text span c="dimmed" fw={400}>
              {' '}
              {texts.below(notesBelow)}
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {workspace !== undefined && <>{`${workspace.name} · `}</>}
          {texts.deleted} <Time value={deletedAt} />
          {' · '}
          {texts.purged} <Time value={purgedAt} />
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap">
        {workspace !== undefined && workspace.role !== 'viewer' && (
          <Button
            variant="default"
            size="xs"
            aria-label={texts.restoreNote(title)}
            loading={restore.isPending}
            onClick={() => restore.mutate()}
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            {texts.restore}
          </Button>
        )}
        {workspace?.role === 'owner' && (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            aria-label={texts.erase.note(title)}
            onClick={() => onErase(note)}
          >
            {texts.erase.item}
          </Button>
        )}
      </Group>
    </Group>
  );
});
