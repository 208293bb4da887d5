import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { OPERATORS } from './conditions.ts';
import { type FilterValues, newRow } from './values.ts';
import classes from './filter.module.css';

/** As many as a filter may have. */
const ROWS_MAX = 30;
const PATH_LENGTH_MAX = 400;

/** The conditions of a filter, one below the other. */
export function FilterRows({ form }: { form: UseFormReturnType<FilterValues> }) {
  const { filters } = useAllText();
  const { rows } = form.getValues();
  const addButton = useRef<HTMLButtonElement>(null);
  const focusPath = (index: number) =>
    (form.getInputNode(`rows.${index}.path`) ?? addButton.current)?.focus();
  return (
    <Stack gap="sm">
      {rows.length > 0 && (
        <Text size="sm" c="dimmed">
          {filters.rowsHint}
        </Text>
      )}
      {rows.map(({ operator }, index) => (
        <div key={index} className={classes.row}>
          <TextInput
            {...form.getInputProps(`rows.${index}.path`)}
            className={classes.path}
            label={index === 0 ? filters.path : undefined}
            aria-label={filters.pathOf(index + 1)}
            maxLength={PATH_LENGTH_MAX}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <NativeSelect
            {...form.getInputProps(`rows.${index}.operator`)}
            label={index === 0 ? filters.operator : undefined}
            aria-label={filters.operatorOf(index + 1)}
            data={OPERATORS.map((value) => ({ value, label: filters.operators[value] }))}
            onChange={({ currentTarget }) => {
              const chosen = OPERATORS.find((each) => each === currentTarget.value);
              if (chosen !== undefined) form.setFieldValue(`rows.${index}.operator`, chosen);
              if (chosen === '$exists') form.setFieldValue(`rows.${index}.value`, 'true');
            }}
          />
          {operator === '$exists' ? (
            <NativeSelect
              {...form.getInputProps(`rows.${index}.value`)}
              label={index === 0 ? filters.value : undefined}
              aria-label={filters.valueOf(index + 1)}
              data={[
                { value: 'true', label: filters.yes },
                { value: 'false', label: filters.no },
              ]}
            />
          ) : (
            <TextInput
              {...form.getInputProps(`rows.${index}.value`)}
              label={index === 0 ? filters.value : undefined}
              aria-label={filters.valueOf(index + 1)}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <IconButton
            icon="trash"
            label={filters.remove(index + 1)}
            onClick={() => {
              flushSync(() => form.removeListItem('rows', index));
              focusPath(Math.max(index - 1, 0));
            }}
          />
        </div>
      ))}
      {rows.length < ROWS_MAX && (
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            flushSync(() => form.insertListItem('rows', newRow()));
            focusPath(rows.length);
          }}
        >
          {filters.add}
        </Button>
      )}
    </Stack>
  );
}
