import { ACTIVITY_ROUTES, type ActivityApi } from './api/activity.ts';
import { FAVOURITES_ROUTES, type FavouritesApi } from './api/favourites.ts';
import { MEMBERS_ROUTES, type MembersApi } from './api/members.ts';
import { ORGANISING_ROUTES, type OrganisingApi } from './api/organising.ts';
import { SHARING_ROUTES, type SharingApi } from './api/sharing.ts';
import { TAGS_ROUTES, type TagsApi } from './api/tags.ts';
import { TRASH_ROUTES, type TrashApi } from './api/trash.ts';
import { TREE_ROUTES, type TreeApi } from './api/tree.ts';
import { VERSIONS_ROUTES, type VersionsApi } from './api/versions.ts';
import type { Atrium } from './index.ts';

/**
 * Members of a workspace, invitations to it, its activity, tags and templates, versions and shares of its notes,
 * moving them, their tree, favourites, and the trash of all workspaces.
 */
export interface WorkspacesApi
  extends
    MembersApi,
    ActivityApi,
    TagsApi,
    VersionsApi,
    FavouritesApi,
    OrganisingApi,
    SharingApi,
    TreeApi,
    TrashApi {}

/**
 * For products in which people write together, beside the notes of every product.
 * @example
 * const workspaces = createWorkspaces(atrium);
 * const { data } = await workspaces.listMembers('ws_…');
 */
export function createWorkspaces({ callsOf }: Atrium): WorkspacesApi {
  return {
    ...callsOf('notes', MEMBERS_ROUTES),
    ...callsOf('notes', ACTIVITY_ROUTES),
    ...callsOf('notes', TAGS_ROUTES),
    ...callsOf('notes', VERSIONS_ROUTES),
    ...callsOf('notes', FAVOURITES_ROUTES),
    ...callsOf('notes', ORGANISING_ROUTES),
    ...callsOf('notes', SHARING_ROUTES),
    ...callsOf('notes', TREE_ROUTES),
    ...callsOf('notes', TRASH_ROUTES),
  };
}
