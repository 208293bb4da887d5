import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Tabs } from '../ui/page/tabs.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';

/** Around the lists of operators: the tabs and the title. */
export function OperatorPage({
  title,
  explanation,
  children,
}: {
  title: string;
  explanation?: string;
  children: ReactNode;
}) {
  const text = useAllText();
  return (
    <Stack gap="lg">
      <Tabs
        label={text.operator.navigation}
        tabs={[
          { to: '/operator', label: text.operator.overview.tab },
          { to: '/operator/accounts', label: text.operator.accounts.title },
          { to: '/operator/imports', label: text.operator.imports.tab },
          { to: '/operator/products', label: text.operator.products.title },
        ]}
      />
      <Stack gap={4}>
        <Title order={1}>{title}</Title>
        {explanation !== undefined && <Text c="dimmed">{explanation}</Text>}
      </Stack>
      {children}
    </Stack>
  );
}
