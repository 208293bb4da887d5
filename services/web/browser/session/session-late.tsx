import { useAuth } from '@atrium/client/react';
import { type ComponentType, Fragment, type ReactNode, useState } from 'react';
import { LateMessage } from '../ui/late/late-page.tsx';
import { Late } from '../ui/late/late.tsx';
import { ErrorPage } from '../ui/page/error-page.tsx';

const DEADLINE_MS = 10_000;

/**
 * In the place of a page that waits for the session: nothing at first, then why it is not known yet.
 * @param props.frame around it, where there is none yet
 */
export function SessionLate({
  frame: Frame = Fragment,
}: {
  frame?: ComponentType<{ children: ReactNode }>;
}) {
  return (
    <Late>
      <Frame>
        <Reason />
      </Frame>
    </Late>
  );
}

function Reason() {
  const { atrium, error } = useAuth();
  const [failure, setFailure] = useState<unknown>(null);
  const reason = failure ?? error;
  if (reason === null) return <LateMessage />;
  const tryAgain = () => atrium.session.refresh({ deadlineMs: DEADLINE_MS }).catch(setFailure);
  return <ErrorPage error={reason} tryAgain={tryAgain} />;
}
