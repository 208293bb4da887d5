import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { Activity, ListQuery, NoteStream } from '../types.ts';

/** What happens in a workspace, and in a note that is open. */
export interface ActivityApi {
  /**
   * Lists who did what in a workspace, newest first.
   * @example
   * const { data } = await workspaces.listActivity('ws_…', { limit: 50 });
   */
  listActivity: (workspaceId: string, query?: ListQuery, options?: CallOptions) => List<Activity>;
  /**
   * Opens the stream of who has a note open and what is saved; `followNote` of `@atrium/client/presence`
   * reads and resumes it.
   * @example
   * const stream = await workspaces.streamNote('note_…');
   */
  streamNote: (id: string, options?: CallOptions) => Promise<NoteStream>;
}

export const ACTIVITY_ROUTES: Routes<ActivityApi> = {
  listActivity: 'GET /api/workspaces/{id}/activity list',
  streamNote: 'GET /api/notes/{id}/presence stream',
};
