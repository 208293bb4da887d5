import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './message-page.module.css';

/** A page that says one thing and offers the next step. */
export function MessagePage({
  title,
  children,
  actions,
}: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <Stack gap="md" align="flex-start">
      <Title order={1}>{title}</Title>
      <Text component="div" className={classes.text ?? ''}>
        {children}
      </Text>
      {actions}
    </Stack>
  );
}
