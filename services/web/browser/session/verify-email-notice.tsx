import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { atrium } from './atrium.ts';
import { useUser } from './user.ts';

/**
 * Says that the email address is not verified yet, and sends the email again. Nothing when it is verified.
 * @param props.why what waits for it
 */
export function VerifyEmailNotice({ why }: { why?: string }) {
  const { home } = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const { email, emailVerified } = useUser();
  const resend = useMutation({
    mutationFn: () => atrium.auth.resendVerificationEmail(),
    onSuccess: () => toast(home.resent),
    onError: showError,
  });
  if (emailVerified) return null;
  return (
    <Alert title={home.verifyTitle} variant="default">
      <Stack align="flex-start" gap="sm">
        {why} {home.verify(email)}
        <Button
          variant="default"
          size="xs"
          loading={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {home.resend}
        </Button>
      </Stack>
    </Alert>
  );
}
