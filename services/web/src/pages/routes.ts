import { randomBytes } from 'node:crypto';
import fastifyStatic from '@fastify/static';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Addresses } from './addresses.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { escapeHtml } from './escape-html.ts';
import { languageOf } from './language.ts';
import { latePage } from './late-page.ts';

const ASSETS = '/assets/';
const YEAR_MS = 31_536_000_000;

/** Files whose names change with their content; they were compressed when they were built. */
export async function fileRoutes(server: Server, folders: string[]): Promise<void> {
  await server.register(fastifyStatic, {
    root: folders,
    prefix: ASSETS,
    index: false,
    immutable: true,
    maxAge: YEAR_MS,
    preCompressed: true,
    schemaHide: true,
  });
}

export interface PageRoutesOptions {
  html: string;
  addresses: Addresses;
  /** Whether a page that was opened by another name than that of WEB_URL is redirected there. */
  redirectsToWebUrl: boolean;
}

/** Every other address is a page of the client, which shows what belongs there. */
export function pageRoutes(
  server: Server,
  { html, addresses, redirectsToWebUrl }: PageRoutesOptions,
): void {
  const { host } = new URL(addresses.web);
  const page = html.replace('%ADDRESSES%', escapeHtml(JSON.stringify(addresses)));
  server.get('/*', { schema: { hide: true } }, (request, reply) => {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    if (!wantsPage) throw notFound('Page');
    // The session's cookies belong to one name: 127.0.0.1 is not localhost.
    if (redirectsToWebUrl && request.host !== host) {
      return reply.header('cache-control', 'no-store').redirect(`${addresses.web}${request.url}`);
    }
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': contentSecurityPolicy(addresses, nonce),
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      })
      .send(
        page
          .replace('%NONCE%', nonce)
          .replace('%LATE%', latePage(languageOf(request.headers['accept-language']))),
      );
  });
}
