import { useNavigate } from '@tanstack/react-router';
import { errorText } from '../frame/error-text.ts';
import { useToast } from '../frame/toasts.tsx';
import { useText } from '../texts/texts.tsx';
import { atrium } from './atrium.ts';

/** Ends the session and leaves the pages that need one. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate();
  const toast = useToast();
  const text = useText();
  return async () => {
    try {
      // First, because a page that loses its session asks for a login.
      await navigate({ to: '/login' });
      await atrium.auth.logOut();
    } catch (error) {
      toast(errorText(error, text), { kind: 'error' });
    }
  };
}
