import { AtriumError } from '@atrium/client';
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../texts/texts.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { errorText } from '../error-text.ts';
import classes from '../loading.module.css';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * What a query has loaded. Until then its skeleton, which is invisible for a moment so that fast answers
 * do not flicker; when it fails, what to do next, beside the data that was there before.
 */
export function Loaded<Data>({
  query,
  skeleton,
  children,
}: {
  query: Query<Data>;
  /** In the shape of what comes. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { frame } = useText();
  const { data, error } = query;
  if (data === undefined && error === null) {
    return (
      <div aria-busy aria-label={frame.loading} role="group" className={classes.late}>
        {skeleton}
      </div>
    );
  }
  return (
    <>
      {error !== null && <LoadError query={query} />}
      {data !== undefined && children(data)}
    </>
  );
}

export function LoadError({
  query: { error, isFetching, refetch },
}: {
  query: Omit<Query<unknown>, 'data'>;
}) {
  const text = useText();
  const requestId = error instanceof AtriumError ? error.requestId : undefined;
  return (
    <Alert color="red" variant="light" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorText(error, text)}</Text>
        {requestId !== undefined && (
          <Group gap="xs">
            <Text size="sm">{text.errors.requestId}</Text>
            <Code>{requestId}</Code>
            <CopyButton value={requestId} />
          </Group>
        )}
        <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
          {text.errors.tryAgain}
        </Button>
      </Stack>
    </Alert>
  );
}
