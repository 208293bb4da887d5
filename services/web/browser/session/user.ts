import type { CurrentUser } from '@atrium/client';
import { createContext, use } from 'react';

export const UserContext = createContext<CurrentUser | null>(null);

/** The person whose page this is, also while they log in again. Only on pages that need a session. */
export function useUser(): CurrentUser {
  const user = use(UserContext);
  if (user === null) throw new Error('SignedIn is missing');
  return user;
}
