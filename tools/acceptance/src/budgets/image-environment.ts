import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROCESSES, REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { parse } from 'yaml';

const COLLECTOR = new URL('../../../../deploy/image/collect-at-rest.mjs', import.meta.url);
const ON_SIGNAL = new URL('./collect-on-signal.mjs', import.meta.url);
/** Replaced by the part of it that collects: the rest is for .ts files that are JavaScript already. */
const PRELOAD = '--import=/app/deploy/image/preload.mjs';

/**
 * The limits of memory that the image, and docker-compose.yml for some, gives each process.
 * @throws Error when the Dockerfile does not have them where this looks
 */
export async function imageEnvironments(): Promise<Record<string, Record<string, string>>> {
  const dockerfile = await readFile(join(REPOSITORY_ROOT, 'Dockerfile'), 'utf8');
  const runtime = dockerfile.split(/^FROM .* AS runtime$/m)[1]?.replaceAll('\\\n', ' ') ?? '';
  const image = Object.fromEntries(
    runtime
      .matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(?:"([^"]*)"|(\S+))/g)
      .map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]),
  );
  const options = image['NODE_OPTIONS'];
  if (options?.includes(PRELOAD) !== true || !options.includes('--max-old-space-size=')) {
    throw new Error('The Dockerfile does not say how Node is started.');
  }
  const imports = [COLLECTOR, ON_SIGNAL].map(({ href }) => `--import=${href}`).join(' ');
  const variables = { ...image, NODE_OPTIONS: options.replace(PRELOAD, imports) };
  const compose: unknown = parse(
    await readFile(join(REPOSITORY_ROOT, 'docker-compose.yml'), 'utf8'),
    { merge: true },
  );
  const { services } = compose as { services: Record<string, { environment?: object }> };
  return Object.fromEntries(
    PROCESSES.map(({ name }) => {
      const own = Object.entries(services[name]?.environment ?? {});
      const limits = own.filter(([variable]) => variable.startsWith('MALLOC_'));
      return [
        name,
        { ...variables, ...Object.fromEntries(limits.map(([k, v]) => [k, String(v)])) },
      ];
    }),
  );
}
