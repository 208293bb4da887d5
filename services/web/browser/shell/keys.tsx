import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { addToTitle, takeTitle } from '../notes/list/title-typed-ahead.ts';
import { useCreateNoteHere } from '../notes/list/use-create-note.ts';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { SECTION_OF_KEY, SECTIONS } from './navigation.ts';
import { openPalette } from './palette.tsx';

const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog);

/** How long `G` waits for the key that says where to go. */
const SEQUENCE_MS = 1_500;

const TYPING = 'input, textarea, select, [contenteditable=true]';
const OPEN_OVER_PAGE = '[aria-modal=true], [data-over-page], :popover-open';

/** The keys of every page; none while one types, or while a dialog or a menu is open. */
export function Keys() {
  const [isShown, setShown] = useState(false);
  const act = useActions(() => setShown(true));
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKeyDown = (event: Event) => {
      // Chrome sends one without a key when it fills in a field.
      if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      if (document.querySelector(OPEN_OVER_PAGE) !== null) return;
      if (addToTitle(event.key) || latest.current(event.key)) event.preventDefault();
    };
    // Before a dialog closes, which looks as if none had been open.
    const options = { capture: true };
    window.addEventListener('keydown', onKeyDown, options);
    // The person goes on elsewhere.
    window.addEventListener('pointerdown', takeTitle, options);
    return () => {
      window.removeEventListener('keydown', onKeyDown, options);
      window.removeEventListener('pointerdown', takeTitle, options);
    };
  }, []);
  return (
    isShown && (
      <Suspense fallback={<LatePart />}>
        <KeysDialog onClose={() => setShown(false)} />
      </Suspense>
    )
  );
}

/** @returns what a key does, which tells whether it does anything */
function useActions(showKeys: () => void): (key: string) => boolean {
  const navigate = useNavigate();
  const { history } = useRouter();
  const { pathname } = useLocation();
  const { create } = useCreateNoteHere();
  const goesUntilMs = useRef(0);
  const actions: Record<string, () => void> = {
    c: create,
    '/': search,
    '?': showKeys,
    g: () => {
      goesUntilMs.current = Date.now() + SEQUENCE_MS;
    },
    j: focusFirstRow,
    k: focusFirstRow,
    Escape: () => {
      const isSection = SECTIONS.some(({ to }) => to === pathname);
      if (!isSection && history.canGoBack() && hasNoControlFocus()) history.back();
    },
  };
  return (key) => {
    const to = Date.now() < goesUntilMs.current ? SECTION_OF_KEY[key] : undefined;
    goesUntilMs.current = 0;
    if (to !== undefined) {
      void navigate({ to });
      return true;
    }
    actions[key]?.();
    return actions[key] !== undefined;
  };
}

/** Escape may be meant for a control, such as one whose tooltip shows. */
function hasNoControlFocus(): boolean {
  return document.activeElement?.matches('body, main, [data-list-row]') ?? true;
}

/** In the page, where it has a field for that. */
function search(): void {
  const field = document.querySelector<HTMLElement>('main input[type=search]');
  if (field === null) openPalette();
  else field.focus();
}

/** From a row, these keys lead on: then the row has handled them. */
function focusFirstRow(): void {
  if (document.activeElement?.closest('[data-list-row]') !== null) return;
  document.querySelector<HTMLElement>('main [data-list-row]')?.focus();
}
