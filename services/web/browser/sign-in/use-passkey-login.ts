import type { AssertionCredential } from '@atrium/client';
import { useEffect, useRef } from 'react';
import { atrium } from '../session/atrium.ts';
import { askForPasskey, canSuggestPasskeys } from './passkey.ts';

/** The service's challenge works for five minutes. */
const RENEW_MS = 240_000;

/**
 * Logs in with a passkey: by `ask`, or when the person chooses one among the suggestions of the field
 * with `autocomplete="webauthn"`, for which the browser is asked in the background.
 */
export function usePasskeyLogin(onCredential: (credential: AssertionCredential) => Promise<void>) {
  const suggestion = useRef<AbortController | null>(null);
  const callback = useRef(onCredential);
  useEffect(() => {
    callback.current = onCredential;
  });
  useEffect(() => {
    const suggest = () => {
      suggestion.current?.abort();
      const controller = new AbortController();
      suggestion.current = controller;
      void suggestPasskeys(controller.signal, (credential) => callback.current(credential));
    };
    suggest();
    const timer = setInterval(suggest, RENEW_MS);
    return () => {
      clearInterval(timer);
      suggestion.current?.abort();
    };
  }, []);
  return {
    isSupported: 'PublicKeyCredential' in window,
    ask: async () => {
      // A browser answers one question about passkeys at a time.
      suggestion.current?.abort();
      const credential = await askForPasskey(await atrium.auth.getPasskeyLoginOptions());
      if (credential !== null) await callback.current(credential);
    },
  };
}

async function suggestPasskeys(
  signal: AbortSignal,
  onCredential: (credential: AssertionCredential) => Promise<void>,
): Promise<void> {
  try {
    if (!(await canSuggestPasskeys())) return;
    const options = await atrium.auth.getPasskeyLoginOptions({ signal });
    const credential = await askForPasskey(options, { signal, mediation: 'conditional' });
    if (credential !== null) await onCredential(credential);
  } catch {
    // Suggestions are an addition: the button says what is wrong.
  }
}
