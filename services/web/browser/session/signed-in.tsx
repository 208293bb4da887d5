import type { CurrentUser } from '@atrium/client';
import { useAuth } from '@atrium/client/react';
import { Navigate, useLocation } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useText } from '../texts/texts.tsx';
import { LoginDialog } from './login-dialog.tsx';

const UserContext = createContext<CurrentUser | null>(null);

/**
 * Shows its content to a signed-in person and sends others to the login page. When the session ends
 * later, the content stays as it is, and a dialog over it asks for a new login.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const { user, isInitializing } = useAuth();
  const { login } = useText();
  const { href } = useLocation();
  const [shownUser, setShownUser] = useState(user);
  const isOther = user !== null && shownUser !== null && user.id !== shownUser.id;
  if (user !== null && user !== shownUser && !isOther) setShownUser(user);
  useEffect(() => {
    // What the page shows belongs to the former account.
    if (isOther) window.location.reload();
  }, [isOther]);
  const current = user ?? shownUser;
  if (current === null) {
    if (isInitializing) return null;
    return <Navigate to="/login" search={{ return_to: href }} replace />;
  }
  return (
    <UserContext value={current}>
      {children}
      {user === null && !isInitializing && (
        <LoginDialog title={login.again} explanation={login.againWhy} />
      )}
    </UserContext>
  );
}

/** The person whose page this is, also while they log in again. Only below `SignedIn`. */
export function useUser(): CurrentUser {
  const user = use(UserContext);
  if (user === null) throw new Error('SignedIn is missing');
  return user;
}
