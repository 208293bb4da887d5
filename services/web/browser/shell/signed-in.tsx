import { useAuth } from '@atrium/client/react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { LateFrame } from './late-frame.tsx';
import { PlainFrame } from './plain-frame.tsx';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { UserContext } from '../session/user.ts';
import { useText } from '../texts/texts.tsx';
import { isLoggingOut } from '../session/log-out.ts';
import { SessionLate } from '../session/session-late.tsx';

/** Most visits end before the session does. */
const LoginDialog = lazyPart(async () => (await import('../sign-in/login-dialog.tsx')).LoginDialog);

/**
 * Shows its content to a signed-in person and sends others to the login page. When the session ends
 * later, the content stays as it is, and a dialog over it asks for a new login.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const { user, isInitializing } = useAuth();
  const { login } = useText();
  const [shownUser, setShownUser] = useState(user);
  const [isLoggingIn, setLoggingIn] = useState(false);
  const isOther = user !== null && shownUser !== null && user.id !== shownUser.id;
  if (user !== null && user !== shownUser && !isOther) setShownUser(user);
  useEffect(() => {
    // What the page shows belongs to the former account.
    if (isOther && !isLoggingIn) window.location.reload();
  }, [isOther, isLoggingIn]);
  const hasEnded = user === null && !isInitializing;
  if (hasEnded && isLoggingOut()) return <LateFrame />;
  if (shownUser === null) {
    return isInitializing ? <SessionLate frame={PlainFrame} /> : <ToLogin />;
  }
  return (
    <UserContext value={shownUser}>
      {children}
      {(hasEnded || isLoggingIn) && (
        <Suspense fallback={<LatePart />}>
          <LoginDialog
            title={login.again}
            explanation={login.againWhy}
            onBusy={setLoggingIn}
            onDone={() => setLoggingIn(false)}
          />
        </Suspense>
      )}
    </UserContext>
  );
}

/** Once, with the URL that was asked for: the router's own changes on the way. */
function ToLogin() {
  const { href } = useLocation();
  const [asked] = useState(href);
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: '/login', search: { return_to: asked }, replace: true });
  }, [asked, navigate]);
  return null;
}
