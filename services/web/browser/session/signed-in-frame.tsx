import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Shell } from '../frame/shell.tsx';
import { SignedInTextsProvider } from '../texts/signed-in-texts.tsx';
import { SignedIn } from './signed-in.tsx';

/** The client itself repeats what may be repeated. */
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000 }, mutations: { retry: false } },
});

/** Around all pages that need a session. */
export function SignedInFrame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn>
        <Suspense>
          <SignedInTextsProvider>
            <Shell>{children}</Shell>
          </SignedInTextsProvider>
        </Suspense>
      </SignedIn>
    </QueryClientProvider>
  );
}
