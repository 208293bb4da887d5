import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

/** One subject of a page: what it is, its state, and what can be done about it. */
export function Section({
  title,
  hint,
  badge,
  action,
  children,
}: {
  title: string;
  hint?: string;
  badge?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.about}>
          <Group gap="xs">
            <Title order={2} size="h3">
              {title}
            </Title>
            {badge}
          </Group>
          {hint !== undefined && (
            <Text size="sm" c="dimmed" mt={4}>
              {hint}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children !== undefined && <div className={classes.content}>{children}</div>}
    </section>
  );
}
