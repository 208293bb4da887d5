import { useAuth } from '@atrium/client/react';
import { Group, Stack, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { TextLink } from '../ui/controls/links.tsx';
import { useText } from '../texts/texts.tsx';
import { LoginSteps } from './login-steps.tsx';
import { OtherLogins } from './other-logins.tsx';
import { useGoOn } from './use-go-on.ts';
import { useReturnTo } from './use-return-to.ts';

/** A person who is logged in already goes on at once. */
export function LoginPage() {
  const { login } = useText();
  const { user, isInitializing } = useAuth();
  const returnTo = useReturnTo();
  const goOn = useGoOn(returnTo);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (user !== null && !isInitializing && !isBusy) goOn();
  }, [user, isInitializing, isBusy, goOn]);
  return (
    <Stack gap="lg">
      <Title order={1}>{login.title}</Title>
      <LoginSteps onBusy={setBusy} onDone={goOn}>
        <Group justify="space-between">
          <TextLink to="/forgot-password" size="sm">
            {login.forgot}
          </TextLink>
          <TextLink to="/signup" search={{ return_to: returnTo }} size="sm">
            {login.createAccount}
          </TextLink>
        </Group>
        <OtherLogins returnTo={returnTo} />
      </LoginSteps>
    </Stack>
  );
}
