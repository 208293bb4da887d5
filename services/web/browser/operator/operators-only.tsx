import { useAuth } from '@atrium/client/react';
import { Outlet } from '@tanstack/react-router';
import { NotFound } from '../ui/page/not-found.tsx';
import { useIsOperator } from '../session/operator-role.ts';

/** To others these pages do not exist. */
export function OperatorsOnly() {
  const { user } = useAuth();
  const isOperator = useIsOperator();
  // Without a session the page stays, under the dialog that asks for a login.
  return isOperator || user === null ? <Outlet /> : <NotFound />;
}
