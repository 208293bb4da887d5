import { errorResponses } from '@atrium/contracts/errors';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import type { Server } from '../server/server.ts';

const Thing = Type.Object(
  { name: Type.String({ maxLength: 9 }) },
  { title: 'Thing', examples: [{ name: 'a' }] },
);

/** The document of a server with these routes. */
async function documentOf(routes: (server: Server) => void) {
  await using app = await startTestServer(routes);
  const response = await fetch(`${app.origin}/openapi.json`);
  return { status: response.status, document: JSON.parse(await response.text()) };
}

describe('the OpenAPI document', () => {
  it('has one component for each schema with a title, with its example', async () => {
    const { document } = await documentOf((server) => {
      const response = { 200: Type.Object({ things: Type.Array(Thing) }), ...errorResponses() };
      server.post('/things', { schema: { body: Thing, response } }, () => ({ things: [] }));
    });
    const { requestBody, responses } = document.paths['/things'].post;
    const thing = { $ref: '#/components/schemas/Thing' };
    expect(requestBody.content['application/json']).toEqual({
      schema: thing,
      example: { name: 'a' },
    });
    expect(responses['200'].content['application/json'].schema).toMatchObject({
      properties: { things: { type: 'array', items: thing } },
    });
    expect(document.components.schemas.Thing).toEqual({
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 9 } },
      examples: [{ name: 'a' }],
    });
  });

  it('throws when two different schemas have the same title', async () => {
    const { status } = await documentOf((server) => {
      const response = { 200: Type.Object({}, { title: 'Thing' }), ...errorResponses() };
      server.post('/things', { schema: { body: Thing, response } }, () => ({}));
    });
    expect(status).toBe(500);
  });

  it('has only keywords of JSON Schema 2020-12', async () => {
    const { document } = await documentOf((server) => {
      const body = Type.Object({
        pair: Type.Tuple([Type.String({ maxLength: 9 }), Type.Integer()]),
        url: Type.String({
          maxLength: 9,
          pattern: '^https:',
          errorMessage: 'must be an https URL',
        }),
      });
      server.put('/things', { schema: { body, response: errorResponses() } }, () => undefined);
    });
    const { schema } = document.paths['/things'].put.requestBody.content['application/json'];
    expect(schema.properties).toEqual({
      pair: {
        type: 'array',
        prefixItems: [{ type: 'string', maxLength: 9 }, { type: 'integer' }],
        items: false,
        minItems: 2,
      },
      url: { type: 'string', maxLength: 9, pattern: '^https:' },
    });
  });

  it('has the responses that the server gives before a handler runs', async () => {
    const { document } = await documentOf((server) => {
      const schema = { response: errorResponses(401) };
      server.get('/things', { schema }, () => undefined);
      server.delete('/things', { schema }, () => undefined);
    });
    const { get, delete: remove } = document.paths['/things'];
    const declared = ['400', '401', '403', '422', '429', '500', '503', 'default'];
    expect(Object.keys(get.responses)).toEqual(declared);
    expect(Object.keys(remove.responses)).toEqual([...declared, '413', '415'].toSorted());
    expect(get.security).toEqual([]);
    expect(document.components.responses.TooManyRequests).toMatchObject({
      description: 'Too Many Requests',
      headers: { 'retry-after': { schema: { type: 'integer' } } },
    });
  });

  it('says which scope a token needs', async () => {
    const { document } = await documentOf((server) => {
      const described = { description: 'Of all.', response: errorResponses(401) };
      const security = (scope: string) => [{ bearer: [scope] }];
      server.get(
        '/notes',
        { schema: { ...described, security: security('notes:read') } },
        () => undefined,
      );
      server.get(
        '/account',
        { schema: { ...described, security: [{ bearer: [] }] } },
        () => undefined,
      );
    });
    const { '/notes': notes, '/account': account } = document.paths;
    expect(notes.get.description).toBe('Of all.\n\nScope: `notes:read`');
    expect(account.get.description).toBe('Of all.');
  });

  it('names the codes of each error response', async () => {
    const { document } = await documentOf((server) => {
      const schema = { response: errorResponses(404, 'slug-taken', 'username-taken') };
      server.get('/things', { schema }, () => undefined);
    });
    const { responses } = document.paths['/things'].get;
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    expect(document.components.responses.NotFound.headers['error-code']).toMatchObject({
      schema: { enum: ['not-found'] },
    });
    expect(responses['409'].headers['error-code']).toEqual({
      description: 'slug-taken: Slug is already taken\nusername-taken: Username is already taken',
      schema: { type: 'string', enum: ['slug-taken', 'username-taken'] },
    });
    expect(document.components.schemas.Error).not.toHaveProperty('x-error-codes');
  });

  it('requires no parameter that has a default', async () => {
    const { document } = await documentOf((server) => {
      const querystring = Type.Object({
        q: Type.String({ maxLength: 9 }),
        limit: Type.Integer({ default: 20 }),
      });
      server.get(
        '/things',
        { schema: { querystring, response: errorResponses() } },
        () => undefined,
      );
    });
    const { parameters } = document.paths['/things'].get;
    expect(parameters).toMatchObject([
      { name: 'q', required: true },
      { name: 'limit', required: false },
    ]);
  });
});

describe('the reference page', () => {
  it('loads nothing from other hosts', async () => {
    await using app = await startTestServer(() => undefined);
    const text = async (path: string) => {
      const response = await fetch(new URL(path, `${app.origin}/docs/`));
      expect(response.status).toBe(200);
      return response.text();
    };
    const page = await text('/docs/');
    const resources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(
      ([, path]) => path ?? [],
    );
    expect(resources.length).toBeGreaterThan(3);
    for (const path of resources) {
      expect(new URL(path, app.origin).origin).toBe(app.origin);
      await text(path);
    }
    expect(await text('static/swagger-initializer.js')).toContain('validatorUrl: null');
  });
});
