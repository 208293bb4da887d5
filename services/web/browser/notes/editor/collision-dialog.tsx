import { Button, Group, Mark, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { type Choice, type Conflict, conflictsOf, type Merge } from '../saving/merge.ts';
import { compareWords, type Words } from '../saving/compare-words.ts';
import classes from './collision.module.css';

/** Shows both versions of each place that collides, and asks which of them stay. */
export function CollisionDialog({
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
            isFirst={index === 0}
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

/** The two versions of some lines, in which the words that differ are marked, and which of them stay. */
function Place({
  conflict: { mine, theirs },
  label,
  choice,
  isFirst,
  onChoose,
}: {
  conflict: Conflict;
  label: string;
  choice: Choice | null;
  isFirst: boolean;
  onChoose: (choice: Choice) => void;
}) {
  const { saving } = useSignedInText().notes;
  const words = compareWords(mine.join('\n').trim(), theirs.join('\n').trim());
  return (
    <Radio.Group label={label} value={choice} onChange={(value) => onChoose(value as Choice)}>
      <div className={classes.versions}>
        <Version title={saving.mine} words={words.mine} />
        <Version title={saving.theirs} words={words.theirs} />
      </div>
      <Group>
        <Radio value="mine" label={saving.keepMine} data-autofocus={isFirst || undefined} />
        <Radio value="theirs" label={saving.keepTheirs} />
        <Radio value="both" label={saving.both} />
      </Group>
    </Radio.Group>
  );
}

function Version({ title, words }: { title: string; words: Words }) {
  const { saving } = useSignedInText().notes;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className={classes.lines}>
        {words.length === 0 ? (
          <Text size="sm" fs="italic" c="dimmed">
            {saving.nothingThere}
          </Text>
        ) : (
          words.map(({ text, isChanged }, index) =>
            isChanged ? <Mark key={index}>{text}</Mark> : text,
          )
        )}
      </div>
    </div>
  );
}
