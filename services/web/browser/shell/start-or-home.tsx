import { useAuth } from '@atrium/client/react';
import { Suspense } from 'react';
import { LateFrame } from './late-frame.tsx';
import { SignedInFrame } from './lazy-frame.tsx';
import { mayBeSignedIn } from '../session/atrium.ts';
import { loadAllText } from '../texts/signed-in-texts.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { PlainFrame } from './plain-frame.tsx';
import { SessionLate } from '../session/session-late.tsx';

const Home = lazyPart(async () => (await import('../home/home-page.tsx')).HomePage);
const Start = lazyPart(async () => (await import('../start/start-page.tsx')).StartPage);

/** Visitors see the page for developers, signed-in people their home. */
export function StartOrHome() {
  const { user, isInitializing } = useAuth();
  if (isInitializing) return <SessionLate frame={PlainFrame} />;
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

/** The router waits for it. */
StartOrHome.preload = async () => {
  if (mayBeSignedIn())
    await Promise.allSettled([SignedInFrame.preload(), Home.preload(), loadAllText()]);
  else await Start.preload();
};
