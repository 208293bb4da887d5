import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';

const NotesTree = lazyPart(async () => (await import('./notes-tree.tsx')).NotesTree);

/** The tree in the sidebar, which is there before it. */
export function SidebarTree() {
  return (
    <Suspense>
      <NotesTree />
    </Suspense>
  );
}
