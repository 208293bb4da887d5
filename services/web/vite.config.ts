import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = fileURLToPath(new URL('dist', import.meta.url));

/** What no visitor's page needs. */
const SIGNED_IN =
  /react-query|components\/(Badge|Portal|Skeleton)\/|DirectionProvider|safe-context|use-merged-ref|browser\/notes\/(list\/use-notes|organising\/use-move|workspaces\/use-owner-plan)|browser\/(shell\/signed-in-frame|texts\/(de|en)\/numbers|ui\/(controls\/icon-button|dialogs\/dialog|lists\/(empty-list|list-end|list-keys|row-link|rows-skeleton|use-list)|size-text|page\/section))\.tsx?$/;

/** Pages that many people visit, and often, and what they all need. */
const OFTEN = /\/(signed-in|(home|login|notes?|signup|start|workspace)-page)-/;

/** Writes each file also as .br and .gz, so that the server compresses nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async closeBundle() {
      const assets = join(outDir, 'assets');
      const files = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        files.map(async (name) => {
          const file = join(assets, name);
          const content = await readFile(file);
          await Promise.all([
            promisify(brotliCompress)(content).then((data) => writeFile(`${file}.br`, data)),
            promisify(gzip)(content, { level: 9 }).then((data) => writeFile(`${file}.gz`, data)),
          ]);
        }),
      );
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('browser', import.meta.url)),
  plugins: [react(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // These have light-dark(), which cannot be written for older ones: the theme chooses the scheme at run time.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The policy allows no inline content, and each file is cached by its name.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The first file names all that these need. The other pages fetch it when they are there, but for styles.
      resolveDependencies: (page, files) =>
        OFTEN.test(page) ? files : files.filter((file) => file.endsWith('.css')),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      // What every page needs is one file, and what most pages with a session need is another: many small ones
      // compress worse, and take longer to fetch.
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            // Menus have these too, and would take all of theirs along to the fields of the login.
            { name: 'shared', test: /hooks\/.*use-(disclosure|uncontrolled)/ },
            { name: 'icons', test: /controls\/icon\.tsx/ },
            { name: 'signed-in', test: SIGNED_IN },
          ],
        },
      },
    },
  },
});
