import { AtriumError } from '@atrium/client';
import { Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { CodeForm } from './code-form.tsx';
import { Question } from './question.tsx';

/** Logs a device without a browser in to this account, by the code that it shows. */
export function DeviceLoginPage() {
  const code: unknown = useLocation({ select: ({ search }) => Reflect.get(search, 'code') });
  return typeof code === 'string' ? <LoginOfCode key={code} code={code} /> : <CodeForm />;
}

type Decision = 'confirmed' | 'denied';

function LoginOfCode({ code }: { code: string }) {
  const { deviceLogin } = useAllText();
  const [outcome, setOutcome] = useState<Decision | 'unknown' | null>(null);
  const query = useQuery({
    queryKey: queryKeys.account.deviceLogin(code),
    queryFn: ({ signal }) => applications.getDeviceLogin(code, { signal }),
  });
  const decide = async (decision: Decision, sent: Promise<void>) => {
    try {
      await sent;
      setOutcome(decision);
    } catch (error) {
      if (!isUnknownCode(error)) throw error;
      setOutcome('unknown');
    }
  };
  if (outcome === 'confirmed' || outcome === 'denied') return <Decided decision={outcome} />;
  if (outcome === 'unknown' || isUnknownCode(query.error)) return <CodeForm unknownCode={code} />;
  return (
    <Stack align="flex-start" maw={480}>
      <Title order={1}>{deviceLogin.title}</Title>
      <Loaded query={query} skeleton={<Skeleton h={320} w={320} />}>
        {(login) => (
          <Question
            login={login}
            onConfirm={(proof) => decide('confirmed', applications.confirmDeviceLogin(code, proof))}
            onDeny={() => decide('denied', applications.denyDeviceLogin(code))}
          />
        )}
      </Loaded>
    </Stack>
  );
}

function Decided({ decision }: { decision: Decision }) {
  const { deviceLogin, applications: texts } = useAllText();
  const { title, explanation } = deviceLogin[decision];
  return (
    <MessagePage
      title={title}
      actions={
        <ButtonLink to="/account/applications" variant="default">
          {texts.granted.title}
        </ButtonLink>
      }
    >
      {explanation}
    </MessagePage>
  );
}

/** It is mistyped, has expired, or was answered already. */
function isUnknownCode(error: unknown): boolean {
  return error instanceof AtriumError && error.status === 404;
}
