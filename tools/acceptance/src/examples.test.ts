import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createPerson, type Person } from './accounts.ts';
import { sharedAtrium } from './shared-atrium.fixture.ts';
import { call, text } from './client.ts';

const atrium = await sharedAtrium();
const { notes, links, webhooks } = atrium.urls;

interface Schema {
  examples?: unknown[];
}

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Content> } }>>;
  components: { schemas: Record<string, Schema> };
}

interface Content {
  schema: Schema & { $ref?: string };
}

let owner: Person;
let workspaceId: string;
let otherWorkspaceId: string;
/** One for all examples: an account has ten at most. */
let webhookId: string;
/** The first part of the example's may be another account's by now. */
const eventType = `shop_${randomUUID()}.order_paid`;
beforeAll(async () => {
  owner = await createPerson(atrium.urls.auth, atrium.mailbox, 'reader');
  workspaceId = await newWorkspace();
  otherWorkspaceId = await newWorkspace();
  webhookId = await create(`${webhooks}/api/webhooks`, {
    url: 'https://example.com/',
    events: ['go.click'],
  });
  await call('PUT', `${webhooks}/api/event-types/${eventType}`, {
    token: owner.accessToken,
    body: { description: 'Made', example: { orderId: '1' } },
  });
});

const create = async (url: string, body: object) =>
  text((await call('POST', url, { token: owner.accessToken, body })).body, 'id');
const newWorkspace = () => create(`${notes}/api/workspaces`, { name: 'Made', description: '' });

/** Things for the examples, by the path that the id follows. */
const MADE: Record<string, () => Promise<string>> = {
  [`${notes}/api/workspaces`]: () => Promise.resolve(workspaceId),
  [`${notes}/api/notes`]: () =>
    create(`${notes}/api/workspaces/${workspaceId}/notes`, { title: 'Made', content: '' }),
  [`${links}/api/links`]: () => create(`${links}/api/links`, { url: 'https://example.com/' }),
  [`${webhooks}/api/webhooks`]: () => Promise.resolve(webhookId),
  [`${webhooks}/api/event-types`]: () => Promise.resolve(eventType),
};

/** What another part of the platform must have said first. */
const NEEDS_MORE = new Set([
  'PATCH /api/notes/{id}/share',
  'POST /api/notes/{id}/place',
  'POST /api/deliveries/{id}/forwarded',
  'PATCH /api/workspaces/{id}/tags/{tag}',
  'PATCH /api/workspaces/{id}/members/{userId}',
  'POST /api/workspaces/{id}/transfer',
  'POST /shared/{token}/access',
  'PATCH /api/operator/namespaces/{name}',
  'PUT /api/portals/{namespace}',
  'POST /api/portal-sessions',
  'POST /api/portal-sessions/open',
]);

/** Each operation with an example of its JSON body. */
async function examplesOf(url: string) {
  const document = (await call('GET', `${url}/openapi.json`)).body as unknown as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined || NEEDS_MORE.has(`${method.toUpperCase()} ${path}`)) return [];
      const { examples = [] } =
        schema.$ref === undefined
          ? schema
          : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
      return examples.map((example) => ({ method: method.toUpperCase(), path, example }));
    }),
  );
}

test.each([
  ['notes', notes],
  ['links', links],
  ['webhooks', webhooks],
])('the examples of the document of %s are accepted as they stand there', async (_, url) => {
  const examples = await examplesOf(url);
  expect(examples.length).toBeGreaterThan(1);
  for (const { method, path, example } of examples) {
    const [before = '', after] = (url + path).split(/\/{(?:id|name)}/, 2);
    const id = after === undefined ? '' : `/${(await MADE[before]?.()) ?? ''}`;
    // The ids of an example are of nothing, and its slug may be another link's by now.
    const body: unknown = JSON.parse(
      JSON.stringify(example)
        .replaceAll(/"ws_\w{26}"/g, JSON.stringify(otherWorkspaceId))
        .replace('shop.order_paid', eventType)
        .replace(/(?<="slug":")\w+/, (slug) => `${slug}-${randomUUID()}`),
    );
    const answer = await call(method, before + id + (after ?? ''), {
      token: owner.accessToken,
      headers: { 'if-match': '*' },
      body,
    });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  }
});
