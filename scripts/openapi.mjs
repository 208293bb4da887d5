// Writes the OpenAPI document of each service to a folder: `node scripts/openapi.mjs FOLDER`.
// The documents come from the production apps, built without their databases.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SERVICES = ['auth', 'notes', 'links', 'webhook-dispatcher'];

/**
 * A dependency of any kind: building an app only passes dependencies on, so whatever is read from
 * this one, or returned by it, is another. As a text it is a URL.
 */
function placeholder() {
  return new Proxy(function dependency() {}, {
    get(_, key) {
      // Otherwise `await` would take it for a promise that never settles.
      if (key === 'then') return undefined;
      if (key === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (key === Symbol.toPrimitive) return () => 'https://atrium.example';
      // Its answer is written into the document, and only the scopes of a running service are known.
      if (key === 'scopeOf') return () => 'session';
      // Compared by digest, which takes nothing but text.
      if (/secret$/i.test(String(key))) return 'secret';
      return placeholder();
    },
    apply: placeholder,
    construct: placeholder,
  });
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node scripts/openapi.mjs FOLDER');
await mkdir(folder, { recursive: true });
const operationIds = new Map();
for (const service of SERVICES) {
  const { buildApp } = await import(`../services/${service}/src/app.ts`);
  const server = await buildApp(placeholder());
  await server.ready();
  const document = server.swagger();
  await writeFile(join(folder, `${service}.json`), `${JSON.stringify(document, null, 2)}\n`);
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { operationId } = operation;
    const other = operationIds.get(operationId);
    // One service's duplicates are the linter's to find; a client has all services in one namespace.
    if (operationId !== undefined && other !== undefined && other !== service) {
      throw new Error(`Both ${other} and ${service} have an operation ${operationId}`);
    }
    operationIds.set(operationId, service);
  }
}
