import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../forms/form-errors.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import {
  type Choice,
  type Conflict,
  conflictsOf,
  type Merge,
  resolveMerge,
} from '../saving/merge.ts';
import type { OpenNote } from '../saving/open-note.ts';
import classes from './collision.module.css';
import { useSavingState } from './saving-status.tsx';

/** Says that somebody else has changed the same lines. One can go on writing and choose later. */
export function CollisionNotice({ note }: { note: OpenNote }) {
  const { saving } = useSignedInText().notes;
  const { kind } = useSavingState(note.saver);
  const [merge, setMerge] = useState<Merge | null>(null);
  if (kind !== 'conflict') return null;
  return (
    <Alert color="red" variant="light" title={saving.conflictTitle} role="alert">
      <Stack gap="sm" align="flex-start">
        {saving.conflictExplanation}
        <Button size="xs" onClick={() => setMerge(note.saver.merge())}>
          {saving.compare}
        </Button>
      </Stack>
      {merge !== null && (
        <CollisionDialog
          merge={merge}
          onClose={() => setMerge(null)}
          onChosen={(choices) => {
            setMerge(null);
            note.saver.resolve(resolveMerge(merge, choices));
          }}
        />
      )}
    </Alert>
  );
}

function CollisionDialog({
  merge,
  onChosen,
  onClose,
}: {
  merge: Merge;
  onChosen: (choices: Choice[]) => void;
  onClose: () => void;
}) {
  const { proof, notes } = useSignedInText();
  const { saving } = notes;
  const conflicts = conflictsOf(merge);
  const [choices, setChoices] = useState<Partial<Record<number, Choice>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const submit = () => {
    const chosen = conflicts.flatMap((_, index) => choices[index] ?? []);
    if (chosen.length < conflicts.length) setFailure(saving.chooseAll);
    else onChosen(chosen);
  };
  return (
    <Dialog title={saving.chooseTitle} onClose={onClose} size="xl">
      <Stack>
        {conflicts.map((conflict, index) => (
          <Place
            key={index}
            conflict={conflict}
            label={saving.place(index + 1, conflicts.length)}
            choice={choices[index] ?? null}
            onChoose={(choice) => setChoices({ ...choices, [index]: choice })}
          />
        ))}
        <FormError message={failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {proof.cancel}
          </Button>
          <Button onClick={submit}>{saving.useChosen}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The two versions of some lines, and which of them stay. */
function Place({
  conflict: { mine, theirs },
  label,
  choice,
  onChoose,
}: {
  conflict: Conflict;
  label: string;
  choice: Choice | null;
  onChoose: (choice: Choice) => void;
}) {
  const { saving } = useSignedInText().notes;
  return (
    <Radio.Group label={label} value={choice} onChange={(value) => onChoose(value as Choice)}>
      <div className={classes.versions}>
        <Version title={saving.mine} lines={mine} />
        <Version title={saving.theirs} lines={theirs} />
      </div>
      <Group>
        <Radio value="mine" label={saving.keepMine} />
        <Radio value="theirs" label={saving.keepTheirs} />
        <Radio value="both" label={saving.both} />
      </Group>
    </Radio.Group>
  );
}

function Version({ title, lines }: { title: string; lines: string[] }) {
  const { saving } = useSignedInText().notes;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className={classes.lines}>
        {lines.length === 0 ? (
          <Text size="sm" fs="italic" c="dimmed">
            {saving.nothingThere}
          </Text>
        ) : (
          lines.join('\n')
        )}
      </div>
    </div>
  );
}
