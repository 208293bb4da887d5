import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { Activity, ListQuery } from '../types.ts';

/** What happens in a workspace. */
export interface ActivityApi {
  /**
   * Lists who did what in a workspace, newest first.
   * @example
   * const { data } = await workspaces.listActivity('ws_…', { limit: 50 });
   */
  listActivity: (workspaceId: string, query?: ListQuery, options?: CallOptions) => List<Activity>;
}

export const ACTIVITY_ROUTES: Routes<ActivityApi> = {
  listActivity: 'GET /api/workspaces/{id}/activity list',
};
