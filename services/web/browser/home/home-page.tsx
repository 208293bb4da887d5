import { Stack, Title } from '@mantine/core';
import { PageTitle } from '../frame/page-title.tsx';
import { useUser } from '../session/signed-in.tsx';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { RecentLinks } from './recent-links.tsx';
import { RecentNotes } from './recent-notes.tsx';
import { WebhookStates } from './webhook-states.tsx';

/** What changed lately in everything that the person has. */
export function HomePage() {
  const { home } = useSignedInText();
  const user = useUser();
  return (
    <Stack gap="lg">
      <PageTitle>{home.title}</PageTitle>
      <Title order={1}>{home.welcome(user.name)}</Title>
      <VerifyEmailNotice />
      <RecentNotes />
      <RecentLinks />
      <WebhookStates />
    </Stack>
  );
}
