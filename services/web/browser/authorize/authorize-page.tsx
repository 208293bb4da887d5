import { AtriumError, type AuthorizationRequest } from '@atrium/client';
import { Button, Group, List, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { applications } from '../session/applications.ts';
import { useLogOut } from '../session/log-out.ts';
import { queryKeys } from '../session/query-keys.ts';
import { LoginSteps } from '../sign-in/login-steps.tsx';
import { OtherLogins } from '../sign-in/other-logins.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { ApplicationLogo } from '../ui/controls/account-avatar.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { errorText } from '../ui/error-text.ts';
import { FormError } from '../ui/forms/form-errors.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import classes from './authorize.module.css';

/** An app opens beside the page, which then stays. So does the page while a slow site answers. */
const LEAVING_MAX_MS = 10_000;

/** Asks whether an application may log the person in, unless that needs no asking, and goes on to it. */
export function AuthorizePage({ id: uid }: { id: string }) {
  const { authorize } = useAllText().applications;
  const answer = useAnswer(uid);
  const query = useQuery({
    queryKey: queryKeys.applications.request(uid),
    queryFn: ({ signal }) => applications.getAuthorizationRequest(uid, { signal }),
    // Another tab may log another person in.
    staleTime: 0,
    // The answer ends the request.
    enabled: !answer.isPending && !answer.isSuccess,
  });
  if (isOver(query.error) || isOver(answer.error)) return <Over />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={320} />}>
      {(request) => {
        const { account, application } = request;
        const title = authorize.title(application.name);
        return (
          <>
            <PageTitle>{title}</PageTitle>
            {answer.isSuccess ? (
              <MessagePage title={title}>{authorize.canClose(application.name)}</MessagePage>
            ) : account === null ? (
              <LoginNeeded request={request} answer={answer} uid={uid} />
            ) : (
              <Question request={request} account={account} answer={answer} uid={uid} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** Allows or denies what is asked, and goes on to the application. */
function useAnswer(uid: string) {
  return useMutation({
    mutationFn: async (isAllowed: boolean) => {
      const { location } = await (isAllowed
        ? applications.allowAuthorization(uid)
        : applications.denyAuthorization(uid));
      window.location.replace(location);
      // The page stays as it is until the other one is there.
      await new Promise((resolve) => setTimeout(resolve, LEAVING_MAX_MS));
    },
  });
}

type Answer = ReturnType<typeof useAnswer>;

function Question({
  request,
  account,
  answer,
  uid,
}: {
  request: AuthorizationRequest;
  account: NonNullable<AuthorizationRequest['account']>;
  answer: Answer;
  uid: string;
}) {
  const text = useAllText();
  const { authorize, scopes } = text.applications;
  const { application, newScopes, host, prompt } = request;
  const { name, owner, isFirstParty, homePage } = application;
  const useOther = useLogOut(`/authorize/${uid}`);
  const { mutate } = answer;
  const needsNoAsking = newScopes.length === 0 && prompt !== 'select_account';
  useEffect(() => {
    if (needsNoAsking) mutate(true);
  }, [needsNoAsking, mutate]);
  if (needsNoAsking && !answer.isError) return <Text role="status">{authorize.goingOn(name)}</Text>;
  return (
    <Stack gap="lg">
      <ApplicationLogo application={application} size={64} />
      <Stack gap={4}>
        <Title order={1} className={classes.name}>
          {authorize.title(name)}
        </Title>
        <Text size="sm" c="dimmed" className={classes.name}>
          {isFirstParty ? authorize.ours : authorize.by(owner)}
          {homePage !== null && ` · ${homePage}`}
        </Text>
      </Stack>
      <Text className={classes.name}>{authorize.loggedInAs(account.name, account.email)}</Text>
      {newScopes.length > 0 && (
        <div>
          <Text fw={600} mb={8} className={classes.name}>
            {authorize.asks(name)}
          </Text>
          <List spacing={6} size="sm">
            {newScopes.map((scope) => (
              <List.Item key={scope}>{scopes[scope]}</List.Item>
            ))}
          </List>
        </div>
      )}
      <Text size="sm" c="dimmed">
        {authorize.goesTo(host)} {newScopes.length > 0 && authorize.takeBack}
      </Text>
      <FormError message={answer.isError ? errorText(answer.error, text) : null} />
      <Group>
        <Button loading={answer.isPending && answer.variables} onClick={() => mutate(true)}>
          {newScopes.length > 0 ? authorize.allow : authorize.continue}
        </Button>
        <DenyButton answer={answer} />
        <Button variant="subtle" onClick={() => void useOther()}>
          {authorize.otherAccount}
        </Button>
      </Group>
    </Stack>
  );
}

/**
 * There is a session, but the application wants a younger or a stronger one. The session stays until then, as other
 * applications may use it.
 */
function LoginNeeded({
  request,
  answer,
  uid,
}: {
  request: AuthorizationRequest;
  answer: Answer;
  uid: string;
}) {
  const text = useAllText();
  const { authorize } = text.applications;
  const { name } = request.application;
  return (
    <Stack gap="lg">
      <MessagePage title={authorize.title(name)}>
        {request.needsSecondFactor ? authorize.stronger(name) : authorize.again(name)}
      </MessagePage>
      <FormError message={answer.isError ? errorText(answer.error, text) : null} />
      <LoginSteps onBusy={() => undefined} onDone={() => window.location.reload()}>
        <TextLink to="/forgot-password" size="sm">
          {text.login.forgot}
        </TextLink>
        <OtherLogins returnTo={`/authorize/${uid}`} />
        <DenyButton answer={answer} />
      </LoginSteps>
    </Stack>
  );
}

function DenyButton({ answer }: { answer: Answer }) {
  const { authorize } = useAllText().applications;
  return (
    <Button
      variant="default"
      loading={answer.isPending && !answer.variables}
      onClick={() => answer.mutate(false)}
    >
      {authorize.deny}
    </Button>
  );
}

function Over() {
  const { authorize } = useAllText().applications;
  return (
    <>
      <PageTitle>{authorize.expiredTitle}</PageTitle>
      <MessagePage title={authorize.expiredTitle}>{authorize.expired}</MessagePage>
    </>
  );
}

const isOver = (error: unknown): boolean =>
  error instanceof AtriumError && error.code === 'authorization-expired';
