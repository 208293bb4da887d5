import type { SignedInPage } from '../ui/page/page.ts';

export const notesPages: readonly SignedInPage[] = [
  {
    path: '/notes',
    load: async () => (await import('./overview/notes-page.tsx')).NotesPage,
  },
  {
    path: '/workspaces/$id',
    load: async () => (await import('./list/workspace-page.tsx')).WorkspacePage,
  },
  {
    path: '/workspaces/$id/members',
    load: async () => (await import('./members/members-page.tsx')).MembersPage,
  },
  {
    path: '/workspaces/$id/tags',
    load: async () => (await import('./tags/tags-page.tsx')).TagsPage,
  },
  {
    path: '/workspaces/$id/activity',
    load: async () => (await import('./activity/activity-page.tsx')).ActivityPage,
  },
  {
    path: '/notes/$id',
    load: async () => (await import('./editor/note-page.tsx')).NotePage,
  },
  {
    path: '/notes/$id/history',
    load: async () => (await import('./history/history-page.tsx')).HistoryPage,
  },
  {
    path: '/trash',
    load: async () => (await import('./trash/trash-page.tsx')).TrashPage,
  },
];
