import { Stack, Text, Title } from '@mantine/core';
import { PageTitle } from '../frame/page-title.tsx';
import { useUser } from '../session/signed-in.tsx';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useSignedInText } from '../texts/signed-in-texts.tsx';

export function HomePage() {
  const { home } = useSignedInText();
  const user = useUser();
  return (
    <Stack>
      <PageTitle>{home.title}</PageTitle>
      <Title order={1}>{home.welcome(user.name)}</Title>
      <VerifyEmailNotice />
      <Text c="dimmed">{home.nothingYet}</Text>
    </Stack>
  );
}
