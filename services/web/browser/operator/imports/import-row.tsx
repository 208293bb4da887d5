import type { AccountImport } from '@atrium/client';
import { Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { errorText } from '../../ui/error-text.ts';
import { FormError } from '../../ui/forms/form-errors.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Time } from '../../ui/times/time.tsx';
import { useFigures } from '../figures.ts';
import classes from '../operator.module.css';
import { downloadReport, isUnfinished } from './use-imports.ts';

/** One file: how far it is, what became of its lines, and the report of those that were rejected. */
export function ImportRow({ current }: { current: AccountImport }) {
  const text = useAllText();
  const { imports, accounts } = text.operator;
  const { count } = useFigures();
  const { fileName, operator, state, created, alreadyThere, rejected, error, createdAt } = current;
  const download = useMutation({ mutationFn: () => downloadReport(current) });
  return (
    <Stack gap="xs" py={6}>
      <Group justify="space-between" gap="xs">
        <div className={rows.about}>
          <Text fw={500}>{fileName}</Text>
          <div className={rows.details}>
            <Time value={createdAt} />{' '}
            {operator === null ? accounts.byErased : imports.by(operator)}
          </div>
        </div>
        <Badge variant="dot" color={state === 'failed' ? 'red' : 'gray'}>
          {imports.states[state]}
        </Badge>
      </Group>
      {isUnfinished(current) && <LinesRead current={current} />}
      {error !== null && <Text size="sm">{imports.errors[error]}</Text>}
      <dl className={classes.figures}>
        <Figure label={imports.created} value={count(created)} />
        <Figure label={imports.alreadyThere} value={count(alreadyThere)} />
        <Figure label={imports.rejected} value={count(rejected)} />
      </dl>
      {rejected > 0 && !isUnfinished(current) && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            loading={download.isPending}
            aria-label={imports.download(fileName)}
            onClick={() => download.mutate()}
          >
            {imports.report}
          </Button>
        </Group>
      )}
      <FormError message={download.error === null ? null : errorText(download.error, text)} />
    </Stack>
  );
}

function LinesRead({ current: { lines, linesRead } }: { current: AccountImport }) {
  const { imports } = useAllText().operator;
  const { count } = useFigures();
  const label = imports.progress(count(linesRead), count(lines));
  return (
    <Stack gap={4}>
      <Text size="sm">{label}</Text>
      <Progress value={lines === 0 ? 0 : (linesRead / lines) * 100} aria-label={label} />
    </Stack>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
