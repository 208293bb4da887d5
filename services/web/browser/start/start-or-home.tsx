import { useAuth } from '@atrium/client/react';
import { Suspense } from 'react';
import { lazyPart } from '../frame/lazy-part.tsx';
import { PlainFrame } from '../frame/shell/plain-frame.tsx';

const Home = lazyPart(async () => (await import('../home/home-page.tsx')).HomePage);
const Start = lazyPart(async () => (await import('./start-page.tsx')).StartPage);

const SignedInFrame = lazyPart(
  async () => (await import('../session/signed-in-frame.tsx')).SignedInFrame,
);

/** The first page: for developers until one is signed in, then what is one's own. */
export function StartOrHome() {
  const { user, isInitializing } = useAuth();
  if (isInitializing) return null;
  return (
    <Suspense>
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
