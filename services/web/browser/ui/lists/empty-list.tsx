import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import rows from './rows.module.css';

/** In the place of a list that has nothing: why, and in its children what to do about it. */
export function EmptyList({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="sm" p="xl" className={rows.empty}>
      <Text ta="center" role="status">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
