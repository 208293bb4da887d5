import { useAuth } from '@atrium/client/react';
import { lazy, Suspense } from 'react';
import { PlainFrame } from '../frame/plain-frame.tsx';

const Home = lazy(() =>
  import('../home/home-page.tsx').then((page) => ({ default: page.HomePage })),
);
const Start = lazy(() => import('./start-page.tsx').then((page) => ({ default: page.StartPage })));

const SignedInFrame = lazy(() =>
  import('../session/signed-in-frame.tsx').then((frame) => ({ default: frame.SignedInFrame })),
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
