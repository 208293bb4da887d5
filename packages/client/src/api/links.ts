import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  ChangeLinkBody,
  ClicksByDay,
  ClicksOverview,
  ClicksQuery,
  CreateLinkBody,
  Link,
  LinkQuery,
  LinksUsage,
  SlugAvailability,
} from '../types.ts';
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
   * Lists the links, newest first or, by `sort`, the most clicked first; with `q` those that have it in their
   * short name or target.
   * @example
   * for await (const { slug, clicks } of atrium.links.listLinks()) console.log(slug, clicks);
   */
  listLinks: (query?: LinkQuery, options?: CallOptions) => List<Link>;
  /**
   * Returns a link with its clicks.
   * @example
   * const { clicks } = await atrium.links.getLink('lnk_…');
   */
  getLink: (id: string, options?: CallOptions) => Promise<Link>;
  /**
   * Counts the clicks of each of the last days, of people and of bots.
   * @example
   * const { data } = await atrium.links.getClicks('lnk_…', { days: 90 });
   */
  getClicks: (id: string, query?: ClicksQuery, options?: CallOptions) => Promise<ClicksByDay>;
  /**
   * Counts the clicks on all links: in total, of each of the last days, and on the best links of these days.
   * @example
   * const { total, best } = await atrium.links.getClicksOverview({ days: 14 });
   */
  getClicksOverview: (query?: ClicksQuery, options?: CallOptions) => Promise<ClicksOverview>;
  /**
   * Counts the links beside the limit of the plan.
   * @example
   * const { links } = await atrium.links.getLinksUsage();
   */
  getLinksUsage: (options?: CallOptions) => Promise<LinksUsage>;
  /**
   * Says whether a short name is free.
   * @example
   * const { isAvailable } = await atrium.links.checkSlug('autumn');
   */
  checkSlug: (slug: string, options?: CallOptions) => Promise<SlugAvailability>;
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
  getClicks: 'GET /api/links/{id}/clicks query',
  getClicksOverview: 'GET /api/links/clicks query',
  getLinksUsage: 'GET /api/links/usage',
  checkSlug: 'GET /api/slugs/{slug}',
  updateLink: 'PATCH /api/links/{id} body',
  deleteLink: 'DELETE /api/links/{id}',
};
