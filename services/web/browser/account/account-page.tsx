import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import classes from './account.module.css';
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
  return (
    <Stack gap="lg">
      <Tabs />
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

function Tabs() {
  const text = useSignedInText();
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    const active = nav.current?.querySelector<HTMLElement>('[data-status=active]');
    active?.parentElement?.scrollTo({ left: active.offsetLeft - active.offsetWidth });
  }, []);
  return (
    <nav ref={nav} aria-label={text.account.navigation} className={classes.tabs}>
      {ACCOUNT_SECTIONS.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {label(text)}
        </Link>
      ))}
    </nav>
  );
}
