import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@atrium/local-stack/process-table';

const COLLECTOR = new URL('../../../../deploy/image/collect-at-rest.mjs', import.meta.url);
const ON_SIGNAL = new URL('./collect-on-signal.mjs', import.meta.url);
/** Of the preload only what collects: the rest is for .ts files that are JavaScript already. */
const PRELOAD = '--import=/app/deploy/image/preload.mjs';

/**
 * The limits of memory that the image gives each process.
 * @throws Error when the Dockerfile does not have them where this looks
 */
export async function imageEnvironment(): Promise<Record<string, string>> {
  const dockerfile = await readFile(join(REPOSITORY_ROOT, 'Dockerfile'), 'utf8');
  const runtime = dockerfile.split(/^FROM .* AS runtime$/m)[1]?.replaceAll('\\\n', ' ') ?? '';
  const variables = Object.fromEntries(
    runtime
      .matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(?:"([^"]*)"|(\S+))/g)
      .map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]),
  );
  const options = variables['NODE_OPTIONS'];
  if (options?.includes(PRELOAD) !== true || !options.includes('--max-old-space-size=')) {
    throw new Error('The Dockerfile does not say how Node is started.');
  }
  const imports = [COLLECTOR, ON_SIGNAL].map(({ href }) => `--import=${href}`).join(' ');
  return { ...variables, NODE_OPTIONS: options.replace(PRELOAD, imports) };
}
