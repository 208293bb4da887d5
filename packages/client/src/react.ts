import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { Atrium, AuthApi, SessionState } from './index.ts';

/** The session, and what begins and ends it. */
export interface Auth extends SessionState {
  atrium: Atrium;
  register: AuthApi['registerAccount'];
  /** May ask for a second step, as `atrium.auth.logIn` does. */
  login: AuthApi['logIn'];
  completeMfaLogin: AuthApi['completeMfaLogin'];
  loginWithPasskey: AuthApi['logInWithPasskey'];
  logout: AuthApi['logOut'];
}

const AtriumContext = createContext<Atrium | null>(null);

/** Restores the session and follows it in all tabs, for `useAuth` in the components within. */
export function AtriumProvider(props: { atrium: Atrium; children?: ReactNode }): ReactNode {
  const { atrium, children } = props;
  useEffect(() => {
    atrium.session.start();
    return () => atrium.session.close();
  }, [atrium]);
  return createElement(AtriumContext.Provider, { value: atrium }, children);
}

/** On a server, and until the session is known, `isInitializing` is true. */
export function useAuth(): Auth {
  const atrium = useContext(AtriumContext);
  if (atrium === null) throw new Error('useAuth needs an <AtriumProvider> around it');
  const { auth, session } = atrium;
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);
  return useMemo(
    () => ({
      ...state,
      atrium,
      register: auth.registerAccount,
      login: auth.logIn,
      completeMfaLogin: auth.completeMfaLogin,
      loginWithPasskey: auth.logInWithPasskey,
      logout: auth.logOut,
    }),
    [atrium, auth, state],
  );
}
