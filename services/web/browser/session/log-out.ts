import { mayLeave } from '../ui/dialogs/leaving.ts';
import { useErrorToast } from '../ui/toasts/toasts.tsx';
import { atrium } from './atrium.ts';

let isLeaving = false;

/** Whether the session of this tab ends because its person wants it, so that nothing asks for a login. */
export function isLoggingOut(): boolean {
  return isLeaving;
}

/**
 * Ends the session, unless the page has something that its person wants to save first. The login page is loaded
 * anew, so that nothing of the account stays in memory.
 *
 * @param returnTo where the next login leads to
 */
export function useLogOut(returnTo?: string): () => Promise<void> {
  const showError = useErrorToast();
  return async () => {
    if (!(await mayLeave())) return;
    isLeaving = true;
    try {
      await atrium.auth.logOut();
      const search =
        returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
      window.location.assign(`/login${search}`);
    } catch (error) {
      isLeaving = false;
      showError(error);
    }
  };
}
