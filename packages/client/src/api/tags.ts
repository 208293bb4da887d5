import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { ListQuery, RenameTagBody, Tag } from '../types.ts';

/** The tags of a workspace. */
export interface TagsApi {
  /**
   * Lists the tags of a workspace by name, with the number of their notes.
   * @example
   * for await (const { name, noteCount } of workspaces.listTags('ws_…')) console.log(name, noteCount);
   */
  listTags: (workspaceId: string, query?: ListQuery, options?: CallOptions) => List<Tag>;
  /**
   * Renames a tag in every note; with `merge`, a tag that has the name already takes it in (else 409).
   * @example
   * await workspaces.renameTag('ws_…', 'gardn', { name: 'garden', merge: true });
   */
  renameTag: (
    workspaceId: string,
    tag: string,
    body: RenameTagBody,
    options?: CallOptions,
  ) => Promise<Tag>;
  /**
   * Removes a tag from every note.
   * @example
   * await workspaces.deleteTag('ws_…', 'garden');
   */
  deleteTag: (workspaceId: string, tag: string, options?: CallOptions) => Promise<void>;
}

export const TAGS_ROUTES: Routes<TagsApi> = {
  listTags: 'GET /api/workspaces/{id}/tags list',
  renameTag: 'PATCH /api/workspaces/{id}/tags/{tag} body',
  deleteTag: 'DELETE /api/workspaces/{id}/tags/{tag}',
};
