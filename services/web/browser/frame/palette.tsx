import { useHotkeys } from '@mantine/hooks';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from './lazy-part.tsx';

const OPEN_EVENT = 'atrium:open-palette';

const PaletteDialog = lazyPart(async () => (await import('./palette-dialog.tsx')).PaletteDialog);

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
  if (!isOpen) return null;
  return (
    <Suspense>
      <PaletteDialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}
