import { useErrorToast } from '../ui/toasts/toasts.tsx';
import { atrium } from './atrium.ts';

let isLeaving = false;

/** Whether the session of this tab ends because its person wants it, so that nothing asks for a login. */
export function isLoggingOut(): boolean {
  return isLeaving;
}

/** Ends the session. The login page is loaded anew, so that nothing of the account stays in memory. */
export function useLogOut(): () => Promise<void> {
  const showError = useErrorToast();
  return async () => {
    isLeaving = true;
    try {
      await atrium.auth.logOut();
      window.location.assign('/login');
    } catch (error) {
      isLeaving = false;
      showError(error);
    }
  };
}
