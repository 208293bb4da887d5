import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import {
  ChangeLinkBody,
  CreateLinkBody,
  Link,
  LinkQuery,
  LinksUsage,
  SlugAvailability,
  ValidSlugParams,
} from '@atrium/contracts/links';
import { Page } from '@atrium/contracts/lists';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { AccountGate } from '@atrium/service-kit/account-gate';
import { accountOf, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Database } from '@atrium/service-kit/database';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { Idempotency, Tx } from '../database.ts';
import { listPage } from './list-page.ts';
import { isReserved, randomSlug } from './slug.ts';
import type { LinkRecord, LinkStore } from './store.ts';
import { readTargetUrl } from './target-url.ts';

const WRITES_PER_ACCOUNT = { name: 'links-writes', limit: 600, windowSeconds: 60 };
/** Bounds the slugs of deleted links that are kept for 30 days. */
const creationsOf = (plan: Plan) => ({
  name: 'link-creations',
  limit: Math.min(PLAN_LIMITS[plan].links, PLAN_LIMITS.pro.links),
  windowSeconds: 86_400,
});
/** While a slug is typed. */
const CHECKS_PER_ACCOUNT = { name: 'slug-checks', limit: 240, windowSeconds: 60 };
const SLUG_ATTEMPTS = 5;

function acceptTarget(text: string): string {
  const target = readTargetUrl(text);
  if (target.kind === 'refused') throw new HttpError('url-not-allowed', target.message);
  return target.url;
}

function acceptSlug(slug: string): string {
  if (isReserved(slug)) throw new HttpError('slug-taken');
  return slug;
}

export async function linkRoutes(
  server: Server,
  options: {
    links: LinkStore;
    /** The only connections that searches use. */
    searchDatabase: Pick<Database, 'pool'>;
    gate: AccountGate;
    rateLimiter: RateLimiter;
    idempotency: Idempotency;
    shortUrl: (slug: string) => string;
    /** Called with the slugs that redirect elsewhere, or nowhere, from now on. */
    onSlugsChanged: (slugs: string[]) => void;
  },
): Promise<void> {
  const { links, searchDatabase, gate, rateLimiter, idempotency, shortUrl, onSlugsChanged } =
    options;

  function represent(link: LinkRecord): Link {
    return { ...link, shortUrl: shortUrl(link.slug), createdAt: link.createdAt.toISOString() };
  }

  async function createWithRandomSlug(tx: Tx, ownerId: string, url: string): Promise<LinkRecord> {
    for (let attempt = 1; attempt <= SLUG_ATTEMPTS; attempt += 1) {
      const link = await links.create(tx, ownerId, randomSlug(), url);
      if (link !== null) return link;
    }
    throw new Error(`No free slug in ${SLUG_ATTEMPTS} attempts`);
  }

  server.post(
    '/api/links',
    {
      config: { isIdempotent: true, rateLimit: WRITES_PER_ACCOUNT },
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'createLink',
        summary: 'Create a short link',
        tags: ['Links'],
        body: CreateLinkBody,
        response: {
          201: Link,
          ...errorResponses(
            401,
            422,
            'email-not-verified',
            'plan-limit-links',
            'slug-taken',
            'url-not-allowed',
          ),
        },
      },
    },
    async (request, reply) => {
      const owner = accountOf(request);
      const { id: ownerId } = owner;
      const url = acceptTarget(request.body.url);
      const { slug } = request.body;
      await rateLimiter.consume(creationsOf(owner.plan), ownerId);
      return idempotency.create(request, reply, async (tx) => {
        if (!(await links.takeSlot(tx, owner))) {
          const { limit } = await links.usage(owner, tx);
          throw new HttpError('plan-limit-links', `Your plan allows ${limit} links`);
        }
        const link =
          slug === undefined
            ? await createWithRandomSlug(tx, ownerId, url)
            : await links.create(tx, ownerId, acceptSlug(slug), url);
        if (link === null) throw new HttpError('slug-taken');
        return { status: 201, body: represent(link) };
      });
    },
  );

  server.get(
    '/api/links',
    {
      schema: {
        operationId: 'listLinks',
        summary: 'List or search your short links',
        tags: ['Links'],
        querystring: LinkQuery,
        response: { 200: Page(Link), ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const page = await listPage({ links, searchDatabase, gate }, request, request.query);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/links/usage',
    {
      schema: {
        operationId: 'getLinksUsage',
        summary: 'Count your short links beside the limit of your plan',
        tags: ['Links'],
        response: { 200: LinksUsage, ...errorResponses(401) },
      },
    },
    async (request) => ({ links: await links.usage(accountOf(request)) }),
  );

  server.get(
    '/api/slugs/:slug',
    {
      config: { rateLimit: CHECKS_PER_ACCOUNT },
      schema: {
        operationId: 'checkSlug',
        summary: 'Say whether a slug is free',
        tags: ['Links'],
        params: ValidSlugParams,
        response: { 200: SlugAvailability, ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { slug } = request.params;
      return { slug, isAvailable: !isReserved(slug) && !(await links.isTaken(slug)) };
    },
  );

  server.get(
    '/api/links/:id',
    {
      schema: {
        operationId: 'getLink',
        summary: 'Get a short link',
        tags: ['Links'],
        params: IdParams,
        response: { 200: Link, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const link = await links.findOwned(request.params.id, accountOf(request).id);
      if (link === null) throw notFound('Link');
      return represent(link);
    },
  );

  server.patch(
    '/api/links/:id',
    {
      config: { rateLimit: WRITES_PER_ACCOUNT },
      schema: {
        operationId: 'updateLink',
        summary: 'Change the slug or the target of a short link',
        tags: ['Links'],
        params: IdParams,
        body: ChangeLinkBody,
        response: { 200: Link, ...errorResponses(401, 404, 422, 'slug-taken', 'url-not-allowed') },
      },
    },
    async (request) => {
      const { slug, url } = request.body;
      const outcome = await links.updateOwned(request.params.id, accountOf(request).id, {
        slug: slug === undefined ? undefined : acceptSlug(slug),
        url: url === undefined ? undefined : acceptTarget(url),
      });
      if (outcome.kind === 'missing') throw notFound('Link');
      if (outcome.kind === 'slug-taken') throw new HttpError('slug-taken');
      onSlugsChanged([outcome.previousSlug, outcome.link.slug]);
      return represent(outcome.link);
    },
  );

  server.delete(
    '/api/links/:id',
    {
      config: { rateLimit: WRITES_PER_ACCOUNT },
      schema: {
        operationId: 'deleteLink',
        summary: 'Delete a short link',
        description: 'Its clicks are deleted too. Nobody gets its slug for 30 days.',
        tags: ['Links'],
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const slug = await links.deleteOwned(request.params.id, accountOf(request).id);
      if (slug === null) throw notFound('Link');
      onSlugsChanged([slug]);
      return reply.code(204).send(null);
    },
  );
}
