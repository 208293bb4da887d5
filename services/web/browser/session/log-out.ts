import { useNavigate } from '@tanstack/react-router';
import { errorText } from '../frame/error-text.ts';
import { useToast } from '../frame/toasts.tsx';
import { useText } from '../texts/texts.tsx';
import { atrium } from './atrium.ts';

let isLeaving = false;

/** Whether the session of this tab ends because its person wants it, so that nothing asks for a login. */
export function isLoggingOut(): boolean {
  return isLeaving;
}

/** Ends the session and leaves the pages that need one. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate();
  const toast = useToast();
  const text = useText();
  return async () => {
    isLeaving = true;
    try {
      await atrium.auth.logOut();
      await navigate({ to: '/login' });
    } catch (error) {
      toast(errorText(error, text), { kind: 'error' });
    } finally {
      isLeaving = false;
    }
  };
}
