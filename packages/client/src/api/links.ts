import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { ChangeLinkBody, CreateLinkBody, Link, ListQuery } from '../types.ts';
import type { CreateOptions } from './options.ts';

/** Short links. To follow one, open its `shortUrl`. */
export interface LinksApi {
  /**
   * Creates a short link.
   * @example
   * const { shortUrl } = await atrium.links.createLink({ url: 'https://example.com/plans' });
   */
  createLink: (body: CreateLinkBody, options?: CreateOptions) => Promise<Link>;
  /**
   * Lists the links, newest first.
   * @example
   * for await (const { slug, clicks } of atrium.links.listLinks()) console.log(slug, clicks);
   */
  listLinks: (query?: ListQuery, options?: CallOptions) => List<Link>;
  /**
   * Returns a link with its clicks.
   * @example
   * const { clicks } = await atrium.links.getLink('lnk_…');
   */
  getLink: (id: string, options?: CallOptions) => Promise<Link>;
  /**
   * Changes where a link leads, or its short name.
   * @example
   * await atrium.links.updateLink('lnk_…', { slug: 'autumn' });
   */
  updateLink: (id: string, body: ChangeLinkBody, options?: CallOptions) => Promise<Link>;
  /**
   * Deletes a link.
   * @example
   * await atrium.links.deleteLink('lnk_…');
   */
  deleteLink: (id: string, options?: CallOptions) => Promise<void>;
}

export const LINKS_ROUTES: Routes<LinksApi> = {
  createLink: 'POST /api/links body create',
  listLinks: 'GET /api/links list',
  getLink: 'GET /api/links/{id}',
  updateLink: 'PATCH /api/links/{id} body',
  deleteLink: 'DELETE /api/links/{id}',
};
