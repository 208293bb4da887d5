// Fails when folders of a package or service import each other in a circle: capabilities form layers. Those of
// web's pages have names. The linter's no-cycle rule sees only circles between files, and no type-only imports;
// both count here.
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

type Graph = Map<string, Set<string>>;

const PAGES = 'services/web/browser';
const SOURCES = ['{packages,tools,services}/*/src', PAGES];

/** What the pages are made of, from what composes the rest down to what imports nothing. */
const PAGES_LAYERS = [
  'main.tsx',
  'routes.tsx',
  'portal',
  'shell',
  'start',
  'home',
  'operator',
  'device-login',
  'authorize',
  'developers',
  'events',
  'webhook-page',
  'deliveries',
  'webhooks',
  'links',
  'notes',
  'account',
  'sign-in',
  'session',
  'ui',
  'texts',
  'platform',
];

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
const COMPOSES = /^[^/]+$|\/pages\.ts$/;
const NOT_PRODUCT = /\.(test|fixture)\.ts$|^test-[^/]*\.ts$|(^|\/)(generated|node_modules)\//;

/**
 * Cycles between the folders below a source folder, such as `['accounts', 'sessions', 'accounts']`.
 * A file directly in the source folder stands for itself, because it composes the others, as does the list
 * of an area's pages.
 */
export async function folderCycles(sourceFolder: string): Promise<string[][]> {
  const imports = await readImports(sourceFolder);
  const nodeOf = (file: string) => (COMPOSES.test(file) ? file : dirname(file));
  const graph: Graph = new Map();
  for (const [file, targets] of imports) {
    const edges = graph.get(nodeOf(file)) ?? new Set<string>();
    // Generated code, tests and other packages are no nodes.
    for (const target of targets) {
      if (imports.has(target) && nodeOf(target) !== nodeOf(file)) edges.add(nodeOf(target));
    }
    graph.set(nodeOf(file), edges);
  }
  return findCycles(graph).filter((cycle) => cycle.some((node) => !/\.tsx?$/.test(node)));
}

/**
 * Imports that lead up: layers are the folders and files directly below a source folder, the highest first, and
 * import lower ones only. One that is not named is a problem too, so that each has its place.
 */
export async function upwardImports(sourceFolder: string, layers: string[]): Promise<string[]> {
  const imports = await readImports(sourceFolder);
  const levelOf = (file: string) => layers.indexOf(file.replace(/\/.*/, ''));
  return [...imports].flatMap(([file, targets]) =>
    levelOf(file) < 0
      ? [`${file} is in no layer`]
      : [...targets]
          .filter((target) => imports.has(target) && levelOf(target) < levelOf(file))
          .map((target) => `${file} -> ${target}`),
  );
}

/** Which files a file imports, all relative to the source folder. */
async function readImports(sourceFolder: string): Promise<Graph> {
  const imports: Graph = new Map();
  const files = globSync('**/*.{ts,tsx}', { cwd: sourceFolder });
  for (const file of files.filter((name) => !NOT_PRODUCT.test(name)).toSorted()) {
    const text = await readFile(join(sourceFolder, file), 'utf8');
    const targets = [...text.matchAll(IMPORT)].map(([, specifier = '']) =>
      relative(sourceFolder, resolve(sourceFolder, dirname(file), specifier)),
    );
    imports.set(file, new Set(targets));
  }
  return imports;
}

/** One cycle for each edge that leads back to the current path of a depth-first search. */
function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  function visit(node: string): void {
    const start = path.indexOf(node);
    if (start >= 0) {
      cycles.push([...path.slice(start), node]);
    } else if (!done.has(node)) {
      path.push(node);
      for (const target of graph.get(node) ?? []) visit(target);
      path.pop();
      done.add(node);
    }
  }
  for (const node of graph.keys()) visit(node);
  return cycles;
}

if (import.meta.main) {
  const problems: string[] = [];
  for (const source of globSync(SOURCES)) {
    for (const cycle of await folderCycles(resolve(source))) {
      problems.push(`${source}: ${cycle.join(' -> ')}`);
    }
  }
  problems.push(...(await upwardImports(PAGES, PAGES_LAYERS)));
  for (const problem of problems) console.error(problem);
  console.log(`${problems.length} cycles between folders or imports of a higher layer`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
