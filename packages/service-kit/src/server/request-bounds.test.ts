import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import { boundOf } from './request-bounds.ts';

describe('boundOf', () => {
  it.each<[string, TSchema]>([
    ['thing.name has no maxLength', Type.Object({ name: Type.String() })],
    ['thing.name has no maxLength', Type.Object({ name: Type.String({ pattern: '^[a-z]+$' }) })],
    ['thing.tags has no maxItems', Type.Object({ tags: Type.Array(Type.Null()) })],
    [
      'thing.tags[] has no maxLength',
      Type.Object({ tags: Type.Array(Type.String(), { maxItems: 2 }) }),
    ],
    ['thing has no maxLength', Type.Union([Type.Null(), Type.String()])],
    ['thing names has no maxLength', Type.Record(Type.String(), Type.Null(), { maxProperties: 2 })],
    [
      'thing has no maxProperties',
      Type.Record(Type.String({ maxLength: 3 }), Type.Null(), { propertyNames: { maxLength: 3 } }),
    ],
    ['thing may be anything: its type is missing', Type.Unknown()],
  ])('refuses a schema without a bound: %s', (message, schema) => {
    expect(() => boundOf(schema, 'thing')).toThrow(message);
  });

  it('has space for the longest value, with every character escaped', () => {
    const schema = Type.Object({
      name: Type.String({ maxLength: 5 }),
      code: Type.String({ pattern: '^[a-z]{1,8}$' }),
      kind: Type.Union([Type.Literal('one'), Type.Literal('three')]),
      tags: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2 }),
      day: Type.String({ format: 'date' }),
      count: Type.Integer(),
    });
    const emoji = '\\ud83d\\ude00';
    const longest =
      `{"name":"${emoji.repeat(5)}","code":"${'\\u0061'.repeat(8)}","kind":"three",` +
      `"tags":["${emoji.repeat(3)}","${emoji.repeat(3)}"],"day":"2026-01-31","count":-9007199254740991}`;
    expect(boundOf(schema, 'thing')).toBeGreaterThanOrEqual(longest.length);
    expect(boundOf(schema, 'thing')).toBeLessThan(4 * longest.length);
  });
});

it('reads no more of a body than its schema can need', async () => {
  const body = Type.Object({ text: Type.String({ maxLength: 5000 }) });
  await using app = await startTestServer((server) => {
    server.post('/small', () => ({}));
    server.post('/text', { schema: { body } }, () => ({}));
  });
  const post = async (path: string, text: string) => {
    const response = await fetch(`${app.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"text":"${text}"}`,
    });
    return response.status;
  };
  expect(await post('/small', 'x'.repeat(20_000))).toBe(413);
  expect(await post('/text', '\\ud83d\\ude00'.repeat(5000))).toBe(200);
  expect(await post('/text', 'x'.repeat(20_000))).toBe(422);
  expect(await post('/text', 'x'.repeat(100_000))).toBe(413);
});
