import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../ui/error-text.ts';
import { useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { useLogOut } from '../session/log-out.ts';
import { useTranslation } from '../texts/texts.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';

/** The account waits for its deletion: it is restored, or left alone. */
export function RestoreStep({ erasesAt, onDone }: { erasesAt: string; onDone: () => void }) {
  const { text, locale } = useTranslation();
  const { restore } = text;
  const toast = useToast();
  const logOut = useLogOut();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const submit = async () => {
    setPending(true);
    try {
      await atrium.auth.restoreCurrentUser();
      toast(restore.done);
      onDone();
    } catch (error) {
      setFailure(errorText(error, text));
    } finally {
      setPending(false);
    }
  };
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(erasesAt));
  return (
    <Stack>
      <Title order={2} size="h4">
        {restore.title}
      </Title>
      <Text>{restore.explanation(date)}</Text>
      <FormError message={failure} />
      <Button loading={isPending} onClick={() => void submit()}>
        {restore.submit}
      </Button>
      <Button variant="default" onClick={() => void logOut()}>
        {restore.decline}
      </Button>
    </Stack>
  );
}
