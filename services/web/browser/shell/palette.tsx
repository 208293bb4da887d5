import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadAllText } from '../texts/signed-in-texts.tsx';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts';

export const OPEN_EVENT = 'atrium:open-palette';

const PaletteDialog = lazyPart(async () => {
  const [script] = await Promise.all([import('./palette-dialog.tsx'), loadAllText()]);
  return script.PaletteDialog;
});

/** Opens the palette from a button. */
export function openPalette(): void {
  window.dispatchEvent(new Event(OPEN_EVENT));
}

/** Ctrl-K or Cmd-K, also in a field, opens a dialog that goes to a page. It is loaded at its first use. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    const openByKey = (event: Event) => {
      // Chrome sends one without a key when it fills in a field.
      if (!(event instanceof KeyboardEvent)) return;
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
      event.preventDefault();
      // It would close a dialog together with itself, and lose what was typed there.
      if (document.querySelector('[aria-modal=true]:not([data-sheet] *)') !== null) return;
      // Before the next key.
      flushSync(open);
    };
    window.addEventListener(OPEN_EVENT, open);
    window.addEventListener('keydown', openByKey);
    return () => {
      window.removeEventListener(OPEN_EVENT, open);
      window.removeEventListener('keydown', openByKey);
    };
  }, []);
  return isOpen && <OpenPalette onClose={() => setOpen(false)} />;
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const takeTyped = useTyped();
  return (
    <Suspense
      fallback={
        <div data-over-page>
          <LatePart />
        </div>
      }
    >
      <PaletteDialog onClose={onClose} takeTyped={takeTyped} />
    </Suspense>
  );
}

/** Keeps what is typed while the dialog is being loaded: it is not meant for the field that had the focus. */
function useTyped(): () => string {
  const typed = useRef('');
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const keep = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || document.activeElement !== document.body) return;
      // Windows says of AltGr, which types characters, that it is Ctrl and Alt.
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if ((isCommand && !event.getModifierState('AltGraph')) || event.key.length !== 1) return;
      event.preventDefault();
      typed.current += event.key;
    };
    const options = { capture: true };
    window.addEventListener('keydown', keep, options);
    return () => window.removeEventListener('keydown', keep, options);
  }, []);
  return useCallback(() => {
    const text = typed.current;
    typed.current = '';
    return text;
  }, []);
}
