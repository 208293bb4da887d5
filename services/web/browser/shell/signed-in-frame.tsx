import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { LateFrame } from './late-frame.tsx';
import { PlainFrame } from './plain-frame.tsx';
import { Shell } from './shell.tsx';
import { SignedInTextsProvider } from '../texts/signed-in-texts.tsx';
import { createQueryClient } from '../session/create-query-client.ts';
import { useUser } from '../session/user.ts';
import { SignedIn } from './signed-in.tsx';

/** Around all pages that need a session. */
export function SignedInFrame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <WithSession>
      <Shell>{children}</Shell>
    </WithSession>
  );
}

/** Around a page that needs a session and asks one thing, with nothing beside it that leads away. */
export function SignedInPlainFrame() {
  return (
    <WithSession>
      <PlainFrame>
        <Outlet />
      </PlainFrame>
    </WithSession>
  );
}

function WithSession({ children }: { children: ReactNode }) {
  return (
    <SignedIn>
      <Queries>
        <Suspense fallback={<LateFrame />}>
          <SignedInTextsProvider>{children}</SignedInTextsProvider>
        </Suspense>
      </Queries>
    </SignedIn>
  );
}

function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={clientOf(useUser().id)}>{children}</QueryClientProvider>;
}

let cache: { accountId: string; client: QueryClient } | undefined;

/** What was loaded for one account is not shown to another, who logs in at the same tab. */
function clientOf(accountId: string): QueryClient {
  if (cache?.accountId !== accountId) cache = { accountId, client: createQueryClient() };
  return cache.client;
}
