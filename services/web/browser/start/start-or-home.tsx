import { useAuth } from '@atrium/client/react';
import { Suspense } from 'react';
import { LateFrame } from '../frame/late/late-frame.tsx';
import { lazyPart } from '../frame/lazy-part.tsx';
import { PlainFrame } from '../frame/shell/plain-frame.tsx';
import { SessionLate } from '../session/session-late.tsx';

const Home = lazyPart(async () => (await import('../home/home-page.tsx')).HomePage);
const Start = lazyPart(async () => (await import('./start-page.tsx')).StartPage);

const SignedInFrame = lazyPart(
  async () => (await import('../session/signed-in-frame.tsx')).SignedInFrame,
);

/** The first page: for developers until one is signed in, then what is one's own. */
export function StartOrHome() {
  const { user, isInitializing } = useAuth();
  if (isInitializing) return <SessionLate />;
  return (
    <Suspense fallback={<LateFrame />}>
      {user === null ? (
        <PlainFrame wide>
          <Start />
        </PlainFrame>
      ) : (
        <SignedInFrame>
          <Home />
        </SignedInFrame>
      )}
    </Suspense>
  );
}
