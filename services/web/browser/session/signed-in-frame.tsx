import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Shell } from '../frame/shell.tsx';
import { SignedIn } from './signed-in.tsx';

/** Around all pages that need a session. */
export function SignedInFrame({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <SignedIn>
      <Shell>{children}</Shell>
    </SignedIn>
  );
}
