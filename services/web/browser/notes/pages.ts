import type { SignedInPage } from '../frame/page.ts';

export const notesPages: readonly SignedInPage[] = [
  {
    path: '/notes',
    title: (text) => text.notes.title,
    load: async () => (await import('./workspaces/notes-page.tsx')).NotesPage,
  },
  {
    path: '/workspaces/$id',
    load: async () => (await import('./list/workspace-page.tsx')).WorkspacePage,
  },
  {
    path: '/notes/$id',
    load: async () => (await import('./editor/note-page.tsx')).NotePage,
  },
];
