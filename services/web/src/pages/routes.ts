import { randomBytes } from 'node:crypto';
import fastifyStatic from '@fastify/static';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceUrls } from './service-urls.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { escapeHtml } from './escape-html.ts';
import { preferredLanguage } from '@atrium/service-kit/accept-language';
import { latePage } from './late-page.ts';
import { ANY_PAGE, type FindPortalOrigins } from './portal-origins.ts';

const ASSETS = '/assets/';
const YEAR_MS = 31_536_000_000;
const LOOPBACK_ADDRESSES = ['127.0.0.1', '[::1]'];
const PORTAL_LINK = /^\/portal\/(ptl_[\w-]+)(?:\?|$)/;

/** Files whose names change with their content; they were compressed when they were built. */
export async function fileRoutes(server: Server, folders: string[]): Promise<void> {
  await server.register(fastifyStatic, {
    root: folders,
    prefix: ASSETS,
    immutable: true,
    maxAge: YEAR_MS,
    preCompressed: true,
    schemaHide: true,
  });
}

export interface PageRoutesOptions {
  html: string;
  serviceUrls: ServiceUrls;
  findPortalOrigins: FindPortalOrigins;
}

/** Every other path is a page of the client, which shows what belongs there. */
export function pageRoutes(server: Server, options: PageRoutesOptions): void {
  const { html, serviceUrls, findPortalOrigins } = options;
  const isLocal = new URL(serviceUrls.web).hostname === 'localhost';
  const page = html.replace('%SERVICE_URLS%', escapeHtml(JSON.stringify(serviceUrls)));
  server.get('/*', { schema: { hide: true } }, async (request, reply) => {
    // As it was sent, which is how the browser decides too: a router takes `/%70ortal/` for the same.
    const ancestors = request.url.startsWith('/portal/') ? await portalAncestors(request) : [];
    // It knows no list of origins; browsers prefer `frame-ancestors`.
    if (ancestors.length > 0) void reply.removeHeader('x-frame-options');
    return send(request, reply, ancestors);
  });

  /** The products whose portals these are show them in frames of their own pages. */
  function portalAncestors(
    request: FastifyRequest,
  ): Promise<readonly string[]> | readonly string[] {
    const token = PORTAL_LINK.exec(request.url)?.[1];
    return token === undefined ? ANY_PAGE : findPortalOrigins(token, request);
  }

  function send(request: FastifyRequest, reply: FastifyReply, ancestors: readonly string[]) {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    if (!wantsPage) throw notFound('Page');
    // On a developer's machine: the session's cookies belong to `localhost`, not to its IP addresses.
    if (isLocal && LOOPBACK_ADDRESSES.includes(request.hostname)) {
      return reply.header('cache-control', 'no-store').redirect(`${serviceUrls.web}${request.url}`);
    }
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': contentSecurityPolicy(serviceUrls, nonce, ancestors),
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      })
      .send(
        page
          .replace('%NONCE%', nonce)
          .replace('%LATE%', latePage(preferredLanguage(request.headers['accept-language']))),
      );
  }
}
