import { useAuth } from '@atrium/client/react';
import { atrium } from './atrium.ts';

/** Whether to offer the pages of operators; the services decide by themselves. */
export function useIsOperator(): boolean {
  // Read anew when another session begins.
  useAuth();
  return atrium.session.isOperator();
}
