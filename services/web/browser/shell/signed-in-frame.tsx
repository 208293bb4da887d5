import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { LateFrame } from './late-frame.tsx';
import { STALE_MS } from '../ui/live.ts';
import { PlainFrame } from './plain-frame.tsx';
import { Shell } from './shell.tsx';
import { SignedInTextsProvider } from '../texts/signed-in-texts.tsx';
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

/**
 * The client itself repeats what may be repeated. Nothing waits for the network: a note that this device has
 * kept opens without it, and a click that waited would happen when the person is elsewhere.
 */
function createQueryClient(): QueryClient {
  const requests = { retry: false, networkMode: 'offlineFirst' } as const;
  return new QueryClient({
    defaultOptions: { queries: { ...requests, staleTime: STALE_MS }, mutations: requests },
  });
}
