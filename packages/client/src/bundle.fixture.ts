import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** Bundles a module of this folder for browsers. */
export async function bundle(
  file: string,
  options: { minify?: boolean; external?: string[]; define?: Record<string, string> } = {},
): Promise<string> {
  const { minify = false, external = [], define = {} } = options;
  const { output } = await build({
    input: fileURLToPath(new URL(file, import.meta.url)),
    platform: 'browser',
    external,
    transform: { define },
    output: { format: 'esm', minify },
    write: false,
  });
  return output[0].code;
}
