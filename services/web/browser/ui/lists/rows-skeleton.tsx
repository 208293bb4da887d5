import { Skeleton, Stack } from '@mantine/core';

/** Stands in for the rows of a list while it is loaded. */
export function RowsSkeleton({ rows = 3, height = 48 }: { rows?: number; height?: number }) {
  return (
    <Stack gap={1}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </Stack>
  );
}
