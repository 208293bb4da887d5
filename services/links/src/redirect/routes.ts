import { errorResponses } from '@atrium/contracts/errors';
import { SlugParams } from '@atrium/contracts/links';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { readClick } from '../clicks/click.ts';
import type { ClickRecorder } from '../clicks/recorder.ts';
import { showDeadLinks } from './dead-link-page.ts';
import type { LinkCache } from './link-cache.ts';

/** Many people may share an IP address, and a redirect costs little. */
const REDIRECTS_PER_ADDRESS = { name: 'redirects', limit: 60_000, windowSeconds: 60 };

export async function redirectRoutes(
  server: Server,
  options: { cache: LinkCache; recorder: Pick<ClickRecorder, 'record'>; clockMs: () => number },
): Promise<void> {
  const { cache, recorder, clockMs } = options;
  showDeadLinks(server);

  // Where a link is written down, a slash is soon added.
  for (const path of ['/:slug', '/:slug/']) {
    server.get(
      path,
      {
        config: { defaultLimit: REDIRECTS_PER_ADDRESS },
        schema: {
          hide: path.endsWith('/'),
          operationId: 'followLink',
          summary: 'Redirect to the target of a short link',
          description: 'For an unknown link a browser gets a page with the status 404.',
          tags: ['Links'],
          security: [],
          params: SlugParams,
          response: { 302: Type.Null(), ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        const found = cache.find(request.params.slug);
        const target = found instanceof Promise ? await found : found;
        if (target === null) throw notFound('Link');
        // A HEAD request is not a click.
        if (request.method === 'GET') {
          const click = readClick({ target, request, clickedAtMs: clockMs() });
          recorder.record(click, { ip: request.ip, ownerPlan: target.ownerPlan });
        }
        // The site where the link stands decides what the destination learns of it.
        void reply.removeHeader('referrer-policy').header('cache-control', 'private, no-store');
        return reply.redirect(target.url, 302);
      },
    );
  }
}
