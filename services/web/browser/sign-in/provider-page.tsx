import type { LoginResponse, ProviderLogin } from '@atrium/client';
import { Stack, Text, Title } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { loginProviders } from '../session/login-providers.ts';
import { useProviderTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';
import { errorText } from '../ui/error-text.ts';
import { MessagePage } from '../ui/page/message-page.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { takeEmailToken } from './email-token.ts';
import { RestoreStep } from './restore-step.tsx';
import { SecondStep } from './second-step.tsx';
import { useGoOn } from './use-go-on.ts';
import { useReturnTo } from './use-return-to.ts';
import { ProviderSignUp } from './provider-sign-up.tsx';

/** Where the browser comes back to from a provider: it logs in, or says what is missing. */
export function ProviderPage() {
  const text = useText();
  const texts = useProviderTexts();
  const returnTo = useReturnToFromProvider();
  const goOn = useGoOn(returnTo);
  const navigate = useNavigate();
  const toast = useToast();
  const fault = useLocation({ select: ({ search }) => String(Reflect.get(search, 'error')) });
  const [failure, setFailure] = useState<string | null>(null);
  const [login, setLogin] = useState<ProviderLogin | null>(null);
  const hasBegun = useRef(false);

  const finish = (response: LoginResponse) => {
    if (response.erasesAt === undefined) goOn();
    else setLogin(response);
  };
  const proceed = async () => {
    const answer = await loginProviders.completeProviderLogin();
    if ('accessToken' in answer) {
      finish(answer);
    } else if ('linked' in answer) {
      toast(texts.linked(answer.linked));
      await navigate({ to: '/account/security', replace: true });
    } else {
      setLogin(answer);
    }
  };
  useEffect(() => {
    // What came of it can be asked for once.
    if (hasBegun.current || fault !== 'undefined') return;
    hasBegun.current = true;
    proceed().catch((error) => setFailure(errorText(error, text)));
  });

  const said = isFault(fault) ? texts.failures[fault] : failure;
  if (said !== null) {
    return (
      <MessagePage
        title={texts.title}
        actions={
          <ButtonLink to="/login" search={{ return_to: returnTo }}>
            {texts.toLogin}
          </ButtonLink>
        }
      >
        {said}
      </MessagePage>
    );
  }
  if (login !== null && 'signUp' in login) {
    return <ProviderSignUp person={login.signUp} onDone={goOn} />;
  }
  return (
    <Stack gap="lg">
      <Title order={1}>{texts.title}</Title>
      {login === null && <Text role="status">{texts.waiting}</Text>}
      {login !== null && 'mfaToken' in login && (
        <SecondStep
          mfaToken={login.mfaToken}
          logIn={async (request) => finish(await request())}
          onBack={() => void navigate({ to: '/login', search: { return_to: returnTo } })}
        />
      )}
      {login !== null && 'erasesAt' in login && login.erasesAt !== undefined && (
        <RestoreStep erasesAt={login.erasesAt} onDone={goOn} />
      )}
    </Stack>
  );
}

/** `return_to` of the URL; the token of an invitation goes from there into memory. */
function useReturnToFromProvider(): string | undefined {
  const asked = useReturnTo();
  const [page] = useState(() => {
    let path = asked;
    const replaceState = (_state: unknown, _title: string, url: string) => void (path = url);
    takeEmailToken({ pathname: asked ?? '', search: '' }, { replaceState });
    return path;
  });
  return page;
}

const isFault = (value: string): value is 'expired' | 'denied' | 'failed' =>
  value === 'expired' || value === 'denied' || value === 'failed';
