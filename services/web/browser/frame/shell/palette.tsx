import { useHotkeys } from '@mantine/hooks';
import { Suspense, useEffect, useState } from 'react';
import { loadAllText } from '../../texts/signed-in-texts.tsx';
import { useFocusReturn } from '../dialog.tsx';
import { lazyPart } from '../lazy-part.tsx';

const OPEN_EVENT = 'atrium:open-palette';

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
  useHotkeys([['mod+K', () => setOpen(true)]], [], true);
  useEffect(() => {
    const open = () => setOpen(true);
    window.addEventListener(OPEN_EVENT, open);
    return () => window.removeEventListener(OPEN_EVENT, open);
  }, []);
  return isOpen && <OpenPalette onClose={() => setOpen(false)} />;
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  useEffect(() => {
    // What is typed while the dialog is being loaded is not meant for the field that had the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, []);
  return (
    <Suspense>
      <PaletteDialog onClose={onClose} />
    </Suspense>
  );
}
