import type { RegisterBody } from '@atrium/client';
import { Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { emailToken, INVITATION_PATH } from './email-token.ts';
import { SignupForm } from './signup-form.tsx';
import { OtherLogins } from './other-logins.tsx';
import { useGoOn } from './use-go-on.ts';
import { useReturnTo } from './use-return-to.ts';

/** Ends logged in, or in the mailbox for whoever is invited: the link there leads to the invitation. */
export function SignupPage() {
  const { signup } = useText();
  const returnTo = useReturnTo();
  const goOn = useGoOn(returnTo);
  const [registered, setRegistered] = useState<string | null>(null);
  if (registered !== null) {
    return (
      <MessagePage
        title={signup.doneTitle}
        actions={
          <ButtonLink to="/login" search={{ return_to: returnTo }}>
            {signup.logIn}
          </ButtonLink>
        }
      >
        <p>{signup.done(registered)}</p>
        <p>{signup.doneNext}</p>
      </MessagePage>
    );
  }
  const register = async (body: RegisterBody) => {
    const invitation = returnTo === INVITATION_PATH ? emailToken(INVITATION_PATH) : null;
    await atrium.auth.registerAccount({ ...body, ...(invitation !== null && { invitation }) });
    if (invitation === null && (await isLoggedIn(body))) goOn();
    else setRegistered(body.email);
  };
  return (
    <Stack gap="lg">
      <Title order={1}>{signup.title}</Title>
      <SignupForm onSubmit={register} />
      <Group gap="xs">
        <Text size="sm">{signup.haveAccount}</Text>
        <TextLink to="/login" search={{ return_to: returnTo }} size="sm">
          {signup.logIn}
        </TextLink>
      </Group>
      <OtherLogins returnTo={returnTo} />
    </Stack>
  );
}

/** Not when somebody else has the email address already, who is told so by email and by nothing here. */
async function isLoggedIn({ email, password }: RegisterBody): Promise<boolean> {
  try {
    const response = await atrium.auth.logIn({ email, password });
    return !('mfaRequired' in response) && response.erasesAt === undefined;
  } catch {
    // The account is there, whatever kept it from logging in: it can log in by itself.
    return false;
  }
}
