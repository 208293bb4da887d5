import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createMetrics, startMetricsServer } from '@atrium/service-kit/metrics';
import { openTracing } from '@atrium/service-kit/tracing';
import { createLocalRateLimiter } from '@atrium/service-kit/rate-limit';
import { buildApp } from './app.ts';
import { WebConfig } from './config.ts';
import { portalOriginsAt } from './pages/portal-origins.ts';
import { startKeepingAssets } from './pages/kept-assets.ts';
import { createNoteRenderer } from './public-notes/renderer.ts';
import { sharedNotesAt } from './public-notes/shared-notes.ts';

const DIST = new URL('../dist/', import.meta.url);

/** @throws Error that says how to build the page when it is missing */
async function readPage(): Promise<string> {
  try {
    return await readFile(new URL('index.html', DIST), 'utf8');
  } catch (cause) {
    throw new Error('The pages are not built: run `pnpm --filter @atrium/web build`', { cause });
  }
}

await runProcess('web', async ({ env, stack, logger }) => {
  const config = readConfig(WebConfig, env);
  const { PORT: port, HOST: host, KEPT_ASSETS_DIR: kept } = config;
  const metrics = createMetrics({ exemplars: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined });
  const tracing = await openTracing({ config, service: 'web', logger, metrics });
  if (tracing !== undefined) stack.use(tracing);
  stack.use(await startMetricsServer({ port: config.METRICS_PORT, host, registry: metrics }));
  const built = fileURLToPath(new URL('assets', DIST));
  if (kept !== undefined) stack.use(await startKeepingAssets({ built, kept, logger }));
  const renderer = stack.use(createNoteRenderer(env));
  // So that the first reader does not wait for its process to start.
  renderer.render({ content: '# Ready', attachmentsAt: '' }, host).catch((error: unknown) => {
    logger.warn(
      { err: error },
      'the renderer of public notes could not be started, next attempt with a note',
    );
  });
  const server = await buildApp({
    logger,
    metrics,
    tracing,
    trustProxy: config.TRUST_PROXY,
    serviceUrls: {
      web: config.WEB_URL,
      auth: config.AUTH_URL,
      notes: config.NOTES_URL,
      links: config.LINKS_URL,
      webhooks: config.WEBHOOKS_URL,
      returnOrigins: config.RETURN_ORIGINS,
    },
    html: await readPage(),
    assets: kept === undefined ? [built] : [built, kept],
    notes: sharedNotesAt(config.NOTES_INTERNAL_URL ?? config.NOTES_URL),
    findPortalOrigins: portalOriginsAt(config.WEBHOOKS_INTERNAL_URL ?? config.WEBHOOKS_URL, logger),
    renderer,
    limiter: config.RATE_LIMITS === 'on' ? createLocalRateLimiter() : undefined,
  });
  await serve(stack, server, { port, host });
});
