import { resolve } from 'node:path';
import { build } from 'rolldown';

/** Bundles a module for browsers: one of this folder, or at an absolute path. */
export async function bundle(
  file: string,
  options: { minify?: boolean; external?: string[]; define?: Record<string, string> } = {},
): Promise<string> {
  const { minify = false, external = [], define = {} } = options;
  const { output } = await build({
    input: resolve(import.meta.dirname, file),
    platform: 'browser',
    external,
    transform: { define },
    output: { format: 'esm', minify },
    write: false,
  });
  return output[0].code;
}
