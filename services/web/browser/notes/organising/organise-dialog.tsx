import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { errorText } from '../../ui/error-text.ts';
import { TextLink } from '../../ui/controls/links.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { useWorkspace, useWorkspaces } from '../workspaces/use-workspaces.ts';
import { useOrganise } from './use-organise.ts';

/** Where a note is to go. A reader can only copy it. */
export function OrganiseDialog({ note, onClose }: { note: OpenNote; onClose: () => void }) {
  const text = useSignedInText();
  const { organising: texts } = text;
  const { workspaceId } = note.opened;
  const { data: all = [] } = useWorkspaces();
  const { data: here } = useWorkspace(workspaceId);
  const organise = useOrganise(note);
  const [chosenId, setChosenId] = useState<string>();
  const canWriteHere = here !== undefined && here.role !== 'viewer';
  const others = all.filter((each) => each.id !== workspaceId && each.role !== 'viewer');
  const places = [...others, ...(canWriteHere ? [here] : [])];
  // Another one never takes the place of one that was chosen and is gone.
  const chosen = chosenId === undefined ? places[0] : places.find((each) => each.id === chosenId);
  const canMove = canWriteHere && chosen !== undefined && chosen.id !== workspaceId;
  const action = useMutation({
    mutationFn: (run: () => Promise<void>) => run(),
    onSuccess: onClose,
  });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Stack>
        <FormError message={action.isError ? errorText(action.error, text) : null} />
        {places.length === 0 ? (
          <Text size="sm">
            {texts.nowhere} <TextLink to="/notes">{text.notes.workspaces.new}</TextLink>
          </Text>
        ) : (
          <NativeSelect
            label={texts.workspace}
            description={canMove ? texts.moveHint : undefined}
            value={chosen?.id ?? ''}
            data={[
              ...(chosen === undefined ? [''] : []),
              ...places.map((each) => ({
                value: each.id,
                label: each.id === workspaceId ? texts.here(each.name) : each.name,
              })),
            ]}
            onChange={(event) => setChosenId(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {chosen !== undefined && (
          <Group gap="xs" justify="flex-end">
            <Button
              variant={canMove ? 'default' : 'filled'}
              loading={action.isPending}
              onClick={() => action.mutate(() => organise.copy(chosen))}
            >
              {texts.copy}
            </Button>
            {canMove && (
              <Button
                loading={action.isPending}
                onClick={() => action.mutate(() => organise.move(here, chosen))}
              >
                {texts.move}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}
