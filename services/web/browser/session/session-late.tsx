import { useAuth } from '@atrium/client/react';
import { useState } from 'react';
import { LateMessage } from '../frame/late/late-page.tsx';
import { Late } from '../frame/late/late.tsx';
import { ErrorPage } from '../frame/page/error-page.tsx';
import { PlainFrame } from '../frame/shell/plain-frame.tsx';

const DEADLINE_MS = 10_000;

/** In the place of a page that waits for the session: nothing at first, then why it is not known yet. */
export function SessionLate({ hasFrame = false }: { hasFrame?: boolean }) {
  return (
    <Late>
      {hasFrame ? (
        <Reason />
      ) : (
        <PlainFrame>
          <Reason />
        </PlainFrame>
      )}
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
