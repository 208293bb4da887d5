import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useAuth } from '@atrium/client/react';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { isLoggingOut } from '../../session/log-out.ts';
import { errorText } from '../../ui/error-text.ts';
import type { SessionTexts } from '../../texts/signed-in-texts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { saveNow } from '../saving/save-now.ts';
import type { Saver, SavingState } from '../saving/saving-state.ts';
import classes from './editor.module.css';

export function useSavingState(saver: Saver): SavingState {
  return useSyncExternalStore(saver.subscribe, saver.getState);
}

/** Where the text is, always in view. */
export function SavingStatus({ saver }: { saver: Saver }) {
  const text = useSignedInText();
  const state = useSavingState(saver);
  useRescue(saver, state);
  const isKept = useSyncExternalStore(saver.subscribe, saver.isKept);
  const save = useCallback(
    () =>
      saveNow(saver, '').then(
        () => true,
        () => false,
      ),
    [saver],
  );
  const isLost = !isKept && !['saved', 'unsaved', 'saving'].includes(state.kind);
  return (
    <>
      <div role="status" className={classes.status} data-saving={isLost ? 'lost' : state.kind}>
        <span className={classes.statusText}>
          {isLost ? text.notes.saving.notKept : statusText(state, text)}
        </span>
      </div>
      <UnsavedChanges
        when={!isKept && state.kind !== 'saved'}
        save={save}
        {...(isKept && { explanation: text.notes.saving.keptExplanation })}
      />
    </>
  );
}

function statusText(state: SavingState, text: SessionTexts): string {
  const { saving } = text.notes;
  if (state.kind === 'signed-out') return saving.signedOut;
  if ('error' in state) return `${saving.refused}: ${errorText(state.error, text)}`;
  return saving[state.kind];
}

/** Saves when there is reason to believe that it works again, and when the page may be about to go. */
function useRescue(saver: Saver, { kind }: SavingState): void {
  const { user } = useAuth();
  const isSignedIn = user !== null;
  useEffect(() => {
    if (isSignedIn && saver.getState().kind === 'signed-out') void saver.flush();
  }, [saver, isSignedIn]);
  useEffect(() => {
    const flush = () => void saver.flush();
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    window.addEventListener('online', flush);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('online', flush);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [saver]);
  useEffect(() => {
    if (kind === 'saved') return;
    const warn = (event: BeforeUnloadEvent) => {
      // It has been asked already.
      if (isLoggingOut()) return;
      event.preventDefault();
      void saver.flush();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [saver, kind]);
}
