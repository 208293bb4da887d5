import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

const Text = Type.String({ maxLength: 300 });
const Body = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
  birthdate: Type.Optional(Type.String({ format: 'date' })),
  gender: Type.Optional(Type.Union([Type.Literal('female'), Type.Literal('male')])),
  plan: Type.Optional(Type.Enum(['free', 'pro'])),
  bio: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  tags: Type.Optional(Type.Array(Text, { maxItems: 2, uniqueItems: true })),
  profileLinks: Type.Optional(Type.Array(Type.Object({ url: Text }), { maxItems: 9 })),
  username: Type.Optional(
    Type.String({ maxLength: 30, pattern: '^[a-z]+$', errorMessage: 'may contain only letters' }),
  ),
  slug: Type.Optional(Type.String({ maxLength: 30, pattern: '^[a-z]+$' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
});

let app: TestServer;

beforeAll(async () => {
  app = await startTestServer((server) => {
    server.post('/things', { schema: { body: Body } }, (request) => request.body);
    server.patch(
      '/things',
      { schema: { body: Type.Partial(Body, { minProperties: 1 }) } },
      (request) => request.body,
    );
    const querystring = Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      events: Type.Optional(Type.Array(Text, { maxItems: 9 })),
      q: Type.Optional(Text),
      since: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
    });
    server.get('/things', { schema: { querystring } }, (request) => request.query);
    server.post('/anything', () => ({}));
    const Open = Type.Object({ id: Text }, { additionalProperties: true });
    server.post('/open', { schema: { body: Type.Object({ open: Open }) } }, ({ body }) => body);
    server.post(
      '/optional',
      { config: { isBodyOptional: true }, schema: { body: Type.Object({}) } },
      ({ body }) => body,
    );
    const Labels = Type.Object({
      labels: Type.Record(Type.String(), Text, {
        propertyNames: { maxLength: 10_000 },
        maxProperties: 9,
      }),
    });
    server.post('/labels', { schema: { body: Labels } }, () => ({}));
    const params = Type.Object({ id: Text });
    server.get('/things/:id', { schema: { params } }, (request) => request.params);
  });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

async function send(body: unknown, method = 'POST'): Promise<[number, unknown]> {
  const answer = await fetch(`${app.origin}/things`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [answer.status, await answer.json()];
}

async function get(path: string): Promise<[number, unknown]> {
  const answer = await fetch(`${app.origin}${path}`);
  return [answer.status, await answer.json()];
}

const unreadable = (message: string) => [400, { error: 'Bad Request', message }];
const invalid = (message: string) => [422, { error: 'Validation Error', message }];

describe('400 for an unreadable body', () => {
  it.each([
    [{}, 'Name is required'],
    [null, 'Request body is required'],
    [[], 'Request body must be an object'],
    [{ name: 7 }, 'Name must be a string'],
    [{ name: null }, 'Name must be a string'],
    [{ name: 'a', size: '3' }, 'Size must be an integer'],
    [{ name: 'a', bio: 7 }, 'Bio must be a string or null'],
    [{ name: 'a', gender: 7 }, 'Gender must be a string'],
    [{ name: 'a', plan: 7 }, 'Plan must be a string'],
    [{ name: 'a', tags: ['a', 7] }, 'Tags item 2 must be a string'],
    [{ name: 'a', profileLinks: 'x' }, 'Profile links must be an array'],
    [{ name: 'a', profileLinks: [{}] }, 'URL is required'],
  ])('%j → 400 %s', async (body, message) => {
    expect(await send(body)).toEqual(unreadable(message));
  });

  it('is the answer when a required body is missing', async () => {
    const answer = await fetch(`${app.origin}/things`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual(unreadable('Request body is required'));
  });
});

describe('422 for an invalid body', () => {
  it.each([
    [{ name: 'a', email: 'nope' }, 'Email must be a valid email address'],
    [{ name: '' }, 'Name must not be empty'],
    [{ name: 'abcdef' }, 'Name must be at most 5 characters long'],
    [
      { name: 'a', birthdate: '2001-02-30' },
      'Birthdate must be a valid date in the form YYYY-MM-DD',
    ],
    [{ name: 'a', gender: 'x' }, 'Gender must be one of: female, male'],
    [{ name: 'a', plan: 'x' }, 'Plan must be one of: free, pro'],
    [{ name: 'a', bio: 'abcd' }, 'Bio must be at most 3 characters long'],
    [{ name: 'a', tags: ['a', 'b', 'c'] }, 'Tags must contain at most 2 items'],
    [{ name: 'a', tags: ['a', 'a'] }, 'Tags must not contain the same item twice'],
    [{ name: 'a', username: 'A!' }, 'Username may contain only letters'],
    [{ name: 'a', slug: 'A!' }, 'Slug has an invalid format'],
    [{ name: 'a', size: 0 }, 'Size must be at least 1'],
    [{ name: 'a', size: 10 }, 'Size must be at most 9'],
    [{ name: 'a\0b' }, 'Name contains characters that cannot be stored'],
    [{ name: 'a', tags: ['a', '\ud800'] }, 'Tags item 2 contains characters that cannot be stored'],
  ])('%j → 422 %s', async (body, message) => {
    expect(await send(body)).toEqual(invalid(message));
  });

  it.each([
    [{ name: 'a', isAdmin: true }, 'isAdmin is not a known field'],
    [{ name: 'a', profileLinks: [{ url: 'x', lable: 'y' }] }, 'lable is not a known field'],
    [{ name: 'a', size: 1, ['x'.repeat(90)]: 1 }, `${'x'.repeat(60)}… is not a known field`],
  ])('is the answer when the schema does not know a field: %j', async (body, message) => {
    expect(await send(body)).toEqual(invalid(message));
  });

  it('is the answer when a change names only an unknown field', async () => {
    expect(await send({ titel: 'x' }, 'PATCH')).toEqual(invalid('titel is not a known field'));
  });

  it('is the answer when a change names no field', async () => {
    expect(await send({}, 'PATCH')).toEqual(invalid('Request body must contain at least 1 field'));
  });
});

describe('validation', () => {
  it('drops query parameters that the schema does not name', async () => {
    expect(await get('/things?limit=5&offset=3')).toEqual([200, { limit: 5 }]);
  });

  it('turns query texts into numbers and lists, and fills in defaults', async () => {
    expect(await get('/things?limit=5&events=a')).toEqual([200, { limit: 5, events: ['a'] }]);
    expect(await get('/things?events=a&events=b')).toEqual([
      200,
      { limit: 20, events: ['a', 'b'] },
    ]);
  });

  it('refuses query texts that are not numbers or times, or out of range', async () => {
    const noTime = invalid('Since must be a valid timestamp in ISO 8601 form');
    expect(await get('/things?since=2026-12-31T23:59:60Z')).toEqual(noTime);
    expect(await get('/things?limit=many')).toEqual(unreadable('Limit must be an integer'));
    expect(await get('/things?limit=')).toEqual(unreadable('Limit must be an integer'));
    expect(await get('/things?limit=101')).toEqual(invalid('Limit must be at most 100'));
    expect(await get('/things?q=a&q=b')).toEqual(unreadable('Q must be a string'));
  });

  it('refuses texts in a path or query that cannot be stored', async () => {
    expect(await get('/things/a%00b')).toEqual(
      invalid('ID contains characters that cannot be stored'),
    );
    expect(await get('/things?q=%00')).toEqual(
      invalid('Q contains characters that cannot be stored'),
    );
  });
});

describe('a body', () => {
  const post = async (path: string, body?: string): Promise<[number, unknown]> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(`${app.origin}${path}`, init);
    return [answer.status, await answer.json()];
  };

  it('may have other fields where its schema says so', async () => {
    expect(await post('/open', '{"open":{"id":"a","other":1}}')).toEqual([
      200,
      { open: { id: 'a', other: 1 } },
    ]);
  });

  it('may be missing where it is optional, but not null', async () => {
    expect(await post('/optional')).toEqual([200, {}]);
    expect(await post('/optional', '{}')).toEqual([200, {}]);
    expect(await post('/optional', 'null')).toEqual(unreadable('Request body is required'));
  });
});

describe('the message about a field whose name the caller chose', () => {
  const post = async (path: string, body: unknown): Promise<[number, unknown]> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${app.origin}${path}`, init);
    return [answer.status, await answer.json()];
  };
  const long = 'x'.repeat(10_000);

  it('shortens a long name', async () => {
    expect(await post('/labels', { labels: { [long]: 7 } })).toEqual(
      unreadable(`X${'x'.repeat(59)}… must be a string`),
    );
    expect(await post('/anything', { [long]: '\0' })).toEqual(
      invalid(`X${'x'.repeat(59)}… contains characters that cannot be stored`),
    );
    expect(await post('/anything', { [long]: ['\0'] })).toEqual(
      invalid(`X${'x'.repeat(59)}… item 1 contains characters that cannot be stored`),
    );
  });

  it('does not cut through a surrogate pair', async () => {
    expect(await post('/anything', { [`a${'😀'.repeat(99)}`]: '\0' })).toEqual(
      invalid(`A${'😀'.repeat(29)}… contains characters that cannot be stored`),
    );
  });

  it('does not call a field with a name of digits a list item', async () => {
    expect(await post('/anything', { a: { ['9'.repeat(400)]: '\0' } })).toEqual(
      invalid(`${'9'.repeat(60)}… contains characters that cannot be stored`),
    );
  });
});

describe('a body as deeply nested as its size allows', () => {
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${app.origin}/anything`, { method: 'POST', headers, body });
    return [answer.status, await answer.json()];
  };
  const nest = (core: string) => `${'['.repeat(8_000)}${core}${']'.repeat(8_000)}`;

  it('is validated in linear time', async () => {
    expect(await post(nest(''))).toEqual([200, {}]);
  });

  it('is searched for texts that cannot be stored down to the last level', async () => {
    expect(await post(nest('"\\u0000"'))).toEqual(
      invalid('Request body contains characters that cannot be stored'),
    );
  });
});
