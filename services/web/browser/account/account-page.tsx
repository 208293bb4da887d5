import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Tabs } from '../ui/page/tabs.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { ACCOUNT_SECTIONS } from './sections.ts';

/** Around every page of the account: the tabs, the title and one action. */
export function AccountPage({
  title,
  explanation,
  action,
  children,
}: {
  title: string;
  explanation?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  const text = useAllText();
  return (
    <Stack gap="lg" maw={760} mx="auto">
      <Tabs
        label={text.account.navigation}
        tabs={ACCOUNT_SECTIONS.map(({ to, label }) => ({ to, label: label(text) }))}
      />
      <Stack gap={4}>
        <Group justify="space-between">
          <Title order={1}>{title}</Title>
          {action}
        </Group>
        {explanation !== undefined && <Text c="dimmed">{explanation}</Text>}
      </Stack>
      {children}
    </Stack>
  );
}
