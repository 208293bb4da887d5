import { AtriumError, type Application } from '@atrium/client';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { ApplicationLogo } from '../ui/controls/account-avatar.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { LogoSection } from './logo-section.tsx';
import { PortalSection } from './portal-section.tsx';
import { SecretsSection } from './secrets-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SetupSection } from './setup-section.tsx';

/** One application: how a program uses it, its secrets and settings. */
export function ApplicationPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: queryKeys.applications.one(id),
    queryFn: ({ signal }) => applications.getApplication(id, { signal }),
  });
  if (query.error instanceof AtriumError && query.error.status === 404) return <NotFound />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(application) => <Details key={id} application={application} />}
    </Loaded>
  );
}

function Details({ application }: { application: Application }) {
  const { own, authorize } = useAllText().applications;
  const { name, kind, people, isFirstParty } = application;
  const hasSecrets = kind === 'web' || kind === 'machine';
  return (
    <Stack gap="lg" maw={760}>
      <PageTitle>{name}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/developers/applications" size="sm">
          {own.title}
        </TextLink>
        <Group gap="sm" wrap="nowrap">
          <ApplicationLogo application={application} size={40} />
          <Title order={1}>{name}</Title>
        </Group>
        <Text c="dimmed">
          {own.kinds[kind]}
          {kind !== 'machine' && ` · ${own.people(people)}`}
          {isFirstParty && ` · ${authorize.ours}`}
        </Text>
      </Stack>
      <SetupSection application={application} />
      {hasSecrets && <SecretsSection application={application} />}
      {kind !== 'machine' && <LogoSection application={application} />}
      <SettingsSection application={application} />
      {application.scopes.includes('events:publish') && <PortalSection application={application} />}
      <DeleteSection application={application} />
    </Stack>
  );
}

function DeleteSection({ application: { id, name } }: { application: Application }) {
  const { own } = useAllText().applications;
  const [isAsking, setAsking] = useState(false);
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (
    <Section
      title={own.delete}
      hint={own.deleteHint}
      action={
        <Button variant="default" onClick={() => setAsking(true)}>
          {own.delete}
        </Button>
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={own.deleteTitle(name)}
          explanation={own.deleteHint}
          submit={own.delete}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await applications.deleteApplication(id);
            toast(own.deleted(name));
            // Changes to what is deleted need no saving.
            await navigate({
              to: '/developers/applications',
              replace: true,
              ignoreBlocker: true,
            });
            void queryClient.invalidateQueries({ queryKey: queryKeys.applications.list });
          }}
        />
      )}
    </Section>
  );
}
