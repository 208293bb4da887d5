import { useAuth } from '@atrium/client/react';
import { Button, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../ui/error-text.ts';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { MessagePage } from '../../ui/page/message-page.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { emailToken } from '../email-token.ts';
import { FormError, hasCode } from '../../ui/forms/form-errors.tsx';

export interface TokenPageTexts {
  title: string;
  explanation: string;
  submit: string;
  doneTitle: string;
  done: string;
  next: string;
}

export interface TokenPageProps {
  texts: TokenPageTexts;
  act: (token: string) => Promise<unknown>;
  /** Whether everything is filled in; it shows what is not. */
  check?: () => boolean;
  /** Handles an error of the action; false shows it. */
  onError?: (error: unknown) => boolean;
  /** What else can be done with the link. */
  alternative?: ((token: string, onDone: () => void) => ReactNode) | undefined;
  /** More fields between the sentence and the button. */
  children?: ReactNode;
  /** Instead of the way to the login, or home for whoever is signed in. */
  doneAction?: ReactNode;
  expiredAction?: ReactNode;
}

/**
 * Where a link of an email leads: one sentence and one button. Opening the link changes nothing, because
 * mail programs open links too.
 */
export function TokenPage(props: TokenPageProps) {
  return (
    <>
      <PageTitle>{props.texts.title}</PageTitle>
      <TokenForm {...props} />
    </>
  );
}

function TokenForm({
  texts,
  act,
  check = () => true,
  onError,
  alternative,
  children,
  doneAction,
  expiredAction,
}: TokenPageProps) {
  const text = useText();
  const [token] = useState(() => emailToken());
  const [state, setState] = useState<'open' | 'pending' | 'done' | 'expired'>('open');
  const [failure, setFailure] = useState<string | null>(null);
  if (token === null || state === 'expired') {
    return <ExpiredLink isMissing={token === null} why={texts.next} next={expiredAction} />;
  }
  if (state === 'done') {
    return (
      <MessagePage title={texts.doneTitle} actions={doneAction ?? <NextStep />}>
        {texts.done}
      </MessagePage>
    );
  }
  const submit = async () => {
    if (!check()) return;
    setState('pending');
    setFailure(null);
    try {
      await act(token);
      setState('done');
    } catch (error) {
      const isExpired = isExpiredLink(error);
      setState(isExpired ? 'expired' : 'open');
      if (!isExpired && onError?.(error) !== true) setFailure(errorText(error, text));
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <Title order={1}>{texts.title}</Title>
        <Text>{texts.explanation}</Text>
        <FormError message={failure} />
        {children}
        <Button type="submit" loading={state === 'pending'}>
          {texts.submit}
        </Button>
        {alternative?.(token, () => setState('done'))}
      </Stack>
    </form>
  );
}

function NextStep() {
  const { logIn, toHome } = useEmailLinkTexts();
  const { user } = useAuth();
  return user === null ? (
    <ButtonLink to="/login">{logIn}</ButtonLink>
  ) : (
    <ButtonLink to="/">{toHome}</ButtonLink>
  );
}

/** The link was used, is too old, or got lost with a reload. */
export function ExpiredLink({
  isMissing,
  why,
  next,
}: {
  isMissing: boolean;
  why?: string;
  next?: ReactNode;
}) {
  const emailLinks = useEmailLinkTexts();
  return (
    <MessagePage
      title={emailLinks.expiredTitle}
      actions={next ?? <ButtonLink to="/login">{emailLinks.logIn}</ButtonLink>}
    >
      <p>{isMissing ? emailLinks.missing : emailLinks.expired}</p>
      {!isMissing && why !== undefined && <p>{why}</p>}
    </MessagePage>
  );
}

/** Whether a service refused the token of a link, not something that came with it. */
export function isExpiredLink(error: unknown): boolean {
  return hasCode(error, 'email-token-invalid', 'not-found');
}
