import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../frame/error-text.ts';
import { PageTitle } from '../frame/page-title.tsx';
import { useToast } from '../frame/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { useUser } from '../session/signed-in.tsx';
import { useText } from '../texts/texts.tsx';

export function HomePage() {
  const { home } = useText();
  const user = useUser();
  return (
    <Stack>
      <PageTitle>{home.title}</PageTitle>
      <Title order={1}>{home.welcome(user.name)}</Title>
      {!user.emailVerified && <VerifyNotice email={user.email} />}
      <Text c="dimmed">{home.nothingYet}</Text>
    </Stack>
  );
}

function VerifyNotice({ email }: { email: string }) {
  const text = useText();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: () => atrium.auth.resendVerificationEmail(),
    onSuccess: () => toast(text.home.resent),
    onError: (error) => toast(errorText(error, text), { kind: 'error' }),
  });
  return (
    <Alert title={text.home.verifyTitle} variant="default">
      <Stack align="flex-start" gap="sm">
        {text.home.verify(email)}
        <Button
          variant="default"
          size="xs"
          loading={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {text.home.resend}
        </Button>
      </Stack>
    </Alert>
  );
}
