import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Route } from '../http/routes.ts';
import { APPLICATIONS_ROUTES } from './applications.ts';
import { AUTH_ROUTES } from './auth.ts';
import { FAVOURITES_ROUTES } from './favourites.ts';
import { FILES_ROUTES } from './files.ts';
import { LOGIN_PROVIDERS_ROUTES } from './login-providers.ts';
import { LINKS_ROUTES } from './links.ts';
import { ACTIVITY_ROUTES } from './activity.ts';
import { MEMBERS_ROUTES } from './members.ts';
import { NOTES_ROUTES } from './notes.ts';
import {
  AUTH_OPERATOR_ROUTES,
  LINKS_OPERATOR_ROUTES,
  NOTES_OPERATOR_ROUTES,
  WEBHOOKS_OPERATOR_ROUTES,
} from './operator.ts';
import { PORTALS_ROUTES } from './portals.ts';
import { SHARING_ROUTES } from './sharing.ts';
import { TAGS_ROUTES } from './tags.ts';
import { ORGANISING_ROUTES } from './organising.ts';
import { TRASH_ROUTES } from './trash.ts';
import { TREE_ROUTES } from './tree.ts';
import { VERSIONS_ROUTES } from './versions.ts';
import { WEBHOOKS_ROUTES } from './webhooks.ts';

interface Media {
  schema: { $ref?: string };
}
interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
  security: Record<string, unknown>[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const SERVICES: Record<string, Record<string, Route>> = {
  auth: {
    ...AUTH_ROUTES,
    ...APPLICATIONS_ROUTES,
    ...LOGIN_PROVIDERS_ROUTES,
    ...AUTH_OPERATOR_ROUTES,
  },
  notes: {
    ...NOTES_ROUTES,
    ...ACTIVITY_ROUTES,
    ...MEMBERS_ROUTES,
    ...SHARING_ROUTES,
    ...TAGS_ROUTES,
    ...VERSIONS_ROUTES,
    ...FAVOURITES_ROUTES,
    ...ORGANISING_ROUTES,
    ...TRASH_ROUTES,
    ...TREE_ROUTES,
    ...FILES_ROUTES,
    ...NOTES_OPERATOR_ROUTES,
  },
  links: { ...LINKS_ROUTES, ...LINKS_OPERATOR_ROUTES },
  'webhook-dispatcher': { ...WEBHOOKS_ROUTES, ...PORTALS_ROUTES, ...WEBHOOKS_OPERATOR_ROUTES },
};

/** Opened by browsers at a URL that another operation gives (`shortUrl`, `avatar`). */
const WITHOUT_METHOD = ['followLink', 'getAvatar'];

/** The client sends what these need: the refresh cookie beside the access token. */
const OWN_CREDENTIALS = ['refreshSession', 'logOut'];

/** Their results are not what the service sends. */
const OWN_RESULTS = ['refreshSession', 'publishEvents', 'downloadAccountExport'];

const documents = await readDocuments();
const operations = Object.entries(documents).flatMap(([service, { paths }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      service,
      endpoint: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  ),
);
const callable = operations.filter(({ name }) => !WITHOUT_METHOD.includes(name));
const signatures = await readSignatures();

/** From the production apps, as `check:openapi` reads them. */
async function readDocuments(): Promise<Record<string, Document>> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-openapi-'));
  try {
    const script = fileURLToPath(new URL('../../../../scripts/openapi.mjs', import.meta.url));
    await promisify(execFile)(process.execPath, [script, folder], { timeout: 120_000 });
    const entries = Object.keys(SERVICES).map(async (service) => {
      const text = await readFile(join(folder, `${service}.json`), 'utf8');
      return [service, JSON.parse(text) as Document] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Parameters and result of each method, as they are written in this folder. */
async function readSignatures(): Promise<Map<string, { parameters: string; result: string }>> {
  const names = (await readdir(import.meta.dirname)).filter((name) => !name.endsWith('.test.ts'));
  const found = new Map<string, { parameters: string; result: string }>();
  for (const name of names) {
    const source = await readFile(join(import.meta.dirname, name), 'utf8');
    const methods = source
      .replaceAll(/\s+/g, ' ')
      .matchAll(/(\w+): (?:<[^(]*>)?\(([^=]*)\) => ([^;]+);/g);
    for (const [, method = '', parameters = '', result = ''] of methods) {
      found.set(method, { parameters, result });
    }
  }
  return found;
}

function schemaName(content: Record<string, Media> = {}): string | undefined {
  const media = content['application/json'] ?? content['text/event-stream'] ?? content['*/*'];
  return media?.schema.$ref?.split('/').at(-1);
}

/** The result as the document names it. */
function resultType(operation: Operation): string {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  return schemaName(success?.[1].content) ?? 'void';
}

test('every operation has a method, and every method an operation', () => {
  const expected = callable.map(({ service, name }) => `${service} ${name}`);
  const methods = Object.entries(SERVICES).flatMap(([service, routes]) =>
    Object.keys(routes).map((name) => `${service} ${name}`),
  );
  expect(methods.toSorted()).toEqual(expected.toSorted());
});

test.each(callable)('$name is sent as $endpoint says', ({ name, service, endpoint, operation }) => {
  const [method, target = '', ...words] = (SERVICES[service]?.[name] ?? '').split(' ');
  const [path, query] = target.split('?');
  const { parameters = [], requestBody, security } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const schemes = security.flatMap((each) => Object.keys(each));
  expect(`${method} ${path}`).toBe(endpoint);
  expect({
    body: words.includes('body'),
    query: query !== undefined || words.includes('query') || words.includes('list'),
    bearer: !words.some((word) => ['public', 'login'].includes(word)),
    create: words.includes('create'),
  }).toEqual({
    body: requestBody !== undefined,
    // A list without parameters is one page.
    query: inQuery.length > 0 || words.includes('list'),
    bearer:
      OWN_CREDENTIALS.includes(name) || words.includes('optional') || schemes.includes('bearer'),
    create: headers.some((header) => header.name.toLowerCase() === 'idempotency-key'),
  });
});

test.each(callable)('$name has the types of the document', ({ name, operation }) => {
  const { parameters = '', result = '' } = signatures.get(name) ?? {};
  const body = schemaName(operation.requestBody?.content);
  if (body !== undefined && body !== 'FileContent')
    expect(parameters).toMatch(new RegExp(`\\bbody\\??: ${body}\\b`));
  if (OWN_RESULTS.includes(name)) return;
  const [, kind, first, second] = /^(\w+)<(?:Tagged<)?(\w+)>?(?:, (\w+))?>$/.exec(result) ?? [];
  const type = kind === 'List' ? (second ?? `${first}Page`) : first;
  expect(type).toBe(resultType(operation));
});
