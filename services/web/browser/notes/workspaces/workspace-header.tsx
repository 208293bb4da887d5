import type { Workspace } from '@atrium/client';
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from '../../ui/controls/links.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { Tabs } from '../../ui/page/tabs.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './workspace-header.module.css';

/** The top of every page of a workspace: its name stays in its place from tab to tab. */
export function WorkspaceHeader({
  workspace: { id, name, description },
  page,
  menu,
  action,
}: {
  workspace: Workspace;
  /** For pages other than the notes, which have the name of the workspace. */
  page?: { title: string; tabTitle: string; explanation: string };
  menu?: ReactNode;
  action?: ReactNode;
}) {
  const { notes, listing, members, activity } = useSignedInText();
  const tabs = [
    { to: '/workspaces/$id', label: notes.title },
    { to: '/workspaces/$id/tags', label: listing.tags.title },
    { to: '/workspaces/$id/members', label: members.title },
    { to: '/workspaces/$id/activity', label: activity.title },
  ];
  const Name = page === undefined ? 'h1' : 'p';
  return (
    <>
      <PageTitle>{page?.tabTitle ?? name}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/notes" size="sm">
          {notes.workspaces.title}
        </TextLink>
        <Group justify="space-between" gap="xs" mih={36}>
          <Group gap="xs" wrap="nowrap" className={classes.title ?? ''}>
            <Text component={Name} className={classes.name ?? ''}>
              {name}
            </Text>
            {menu}
          </Group>
          {action}
        </Group>
        {page === undefined && description !== '' && <Text c="dimmed">{description}</Text>}
      </Stack>
      <Tabs label={name} tabs={tabs.map((tab) => ({ ...tab, params: { id } }))} />
      {page !== undefined && (
        <Stack gap={4}>
          <Title order={1} size="h3">
            {page.title}
          </Title>
          {page.explanation !== '' && <Text c="dimmed">{page.explanation}</Text>}
        </Stack>
      )}
    </>
  );
}
