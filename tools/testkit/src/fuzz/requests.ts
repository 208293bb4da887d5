import fc from 'fast-check';
import Type, { type Static, type TSchema } from 'typebox';
import { contentType, type Headers, unusualHeaders } from './headers.ts';
import { HUGE_BODY, hostileText, hostileValue, rawBody } from './hostile.ts';
import { JsonSchema, type KnownValues, nearValue, validValue } from './values.ts';

const Parameter = Type.Object({
  in: Type.String(),
  name: Type.String(),
  required: Type.Optional(Type.Boolean()),
  schema: Type.Optional(JsonSchema),
});
type Parameter = Static<typeof Parameter>;

const Content = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({
    headers: Type.Optional(Type.Record(Type.String(), Type.Object({ schema: JsonSchema }))),
    content: Type.Optional(
      Type.Record(Type.String(), Type.Object({ schema: Type.Optional(schema) })),
    ),
  });

/** The part of an OpenAPI operation that the fuzz test uses. */
const Operation = Type.Object({
  parameters: Type.Optional(Type.Array(Parameter)),
  requestBody: Type.Optional(Content(JsonSchema)),
  // No values are generated for responses, so any JSON Schema will do.
  responses: Type.Optional(Type.Record(Type.String(), Content(Type.Object({})))),
});
export type Operation = Static<typeof Operation>;

export const OpenApi = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});
type OpenApi = Static<typeof OpenApi>;

/** A request before its placeholders are replaced. */
export interface FuzzRequest {
  /** Such as `POST /auth/login`. */
  operation: string;
  method: string;
  path: string;
  headers: Headers;
  body: string | Uint8Array | undefined;
  accountIndex: number;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

const jsonOf = (value: unknown) => JSON.stringify(value);

function bodyOf(
  schema: JsonSchema | undefined,
  known: KnownValues,
): fc.Arbitrary<string | Uint8Array | undefined> {
  if (schema === undefined) {
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: rawBody },
      { weight: 1, arbitrary: hostileValue.map(jsonOf) },
    );
  }
  return fc.oneof(
    { weight: 16, arbitrary: validValue(schema, '', known).map(jsonOf) },
    { weight: 20, arbitrary: nearValue(schema, '', known).map(jsonOf) },
    { weight: 3, arbitrary: hostileValue.map(jsonOf) },
    { weight: 5, arbitrary: rawBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(HUGE_BODY, '{}', '{}', '{}') },
  );
}

/** A lone surrogate cannot be encoded in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40%40', '@@');
}

/** Text that is not valid in a URL but can be sent. */
const urlPart = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => encode(text.slice(0, 400))) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '%',
      '%zz',
      '%00',
      '%c0%af',
      '%ed%a0%80',
      '..',
      '%2e%2e',
      '%2F',
      '\\',
      ';a=b',
      '*',
      '{token}',
      '[object%20Object]',
      '"<>`|^',
      '\xe9',
      'x'.repeat(5000),
    ),
  },
);

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

function pathOf(
  template: string,
  parameters: Parameter[],
  known: KnownValues,
): fc.Arbitrary<string> {
  const pieces = template.split('/').map((piece, index, all): fc.Arbitrary<string> => {
    const name = /^\{(.+)\}$/.exec(piece)?.[1];
    if (name === undefined) return fc.constant(piece);
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
    const qualified = `${all[index - 1]}/${name}`;
    const knownAs = qualified in known ? qualified : name;
    // The placeholder of an email token has the name of the link's path.
    const live = name === 'token' ? fc.constant(`@@${all[index - 1]}@@`) : undefined;
    return fc.oneof(
      {
        weight: 6,
        arbitrary: (live ?? validValue(schema, knownAs, known)).map((v) => encode(textOf(v))),
      },
      {
        weight: 2,
        arbitrary: validValue(schema, knownAs, known).map((value) => encode(textOf(value))),
      },
      { weight: 3, arbitrary: urlPart },
    );
  });
  const whole = fc.tuple(...pieces).map((parts) => parts.join('/'));
  const bent = fc
    .tuple(whole, fc.constantFrom('/', '//', '/.', '/%2e%2e/', '#x', '%', ';', '/..;/'))
    .map(([path, tail]) => path + tail);
  return fc.oneof(
    { weight: 30, arbitrary: whole },
    { weight: 1, arbitrary: bent },
    { weight: 1, arbitrary: urlPart.map((part) => `/${part}`) },
    { weight: 1, arbitrary: whole.map((path) => `http://evil.example${path}`) },
  );
}

function queryOf(parameters: Parameter[], known: KnownValues): fc.Arbitrary<string> {
  const own = parameters.filter((one) => one.in === 'query');
  const names = fc.constantFrom(...own.map(({ name }) => name), 'limit', '__proto__', 'a[b]', '');
  const pair = fc.tuple(names, urlPart).map(([name, value]) => `${name}=${value}`);
  const hostile = fc
    .array(fc.oneof(pair, fc.constantFrom('&', '=', '?', 'limit', 'limit=1', 'limit=100')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((pairs) => `?${pairs.join('&')}`);
  const record = Object.fromEntries(
    own.map(({ name, schema }) => [name, validValue(schema ?? {}, name, known)]),
  );
  const valid = fc
    .record(record, { requiredKeys: [] })
    .map((query) => Object.entries(query).map(([name, v]) => `${name}=${encode(textOf(v))}`))
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
  return fc.oneof(
    { weight: own.length > 0 ? 4 : 12, arbitrary: valid },
    { weight: 2, arbitrary: hostile },
  );
}

/** Header parameters of the operation, mostly valid. */
function declaredHeaders(parameters: Parameter[], known: KnownValues): fc.Arbitrary<Headers> {
  const own = parameters.filter((one) => one.in === 'header');
  const model = own.map(({ name, schema }) => {
    const key = name.toLowerCase();
    return [key, validValue({ type: 'string', ...schema }, key, known).map(headerSafe)] as const;
  });
  return fc.record(Object.fromEntries(model));
}

function headerSafe(value: unknown): string {
  return textOf(value).replaceAll(/[^ -~]/g, '?');
}

const bearer = { authorization: 'Bearer @@accessToken@@' };
const cookies = { cookie: 'refreshToken=@@refreshToken@@; device=@@device@@' };

const credentials: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ ...bearer, ...cookies }) },
  { weight: 1, arbitrary: fc.constant(bearer) },
  { weight: 1, arbitrary: fc.constant(cookies) },
  { weight: 1, arbitrary: fc.constant({ 'x-internal-secret': '@@internalSecret@@' }) },
  { weight: 1, arbitrary: fc.constant({}) },
);

/** Requests to every operation of a document: valid, nearly valid, and hostile. */
export function requestsTo(
  document: OpenApi,
  known: KnownValues,
): {
  operations: Map<string, Operation>;
  request: fc.Arbitrary<FuzzRequest>;
} {
  const operations = new Map<string, Operation>();
  const arbitraries: fc.Arbitrary<FuzzRequest>[] = [];
  for (const [template, byMethod] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(byMethod)) {
      const method = verb.toUpperCase();
      const name = `${method} ${template}`;
      operations.set(name, operation);
      arbitraries.push(requestTo(name, { method, template, operation, known }));
    }
  }
  return { operations, request: fc.oneof(...arbitraries) };
}

interface RequestShape {
  method: string;
  template: string;
  operation: Operation;
  known: KnownValues;
}

function requestTo(
  name: string,
  { method, template, operation, known }: RequestShape,
): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters ?? [];
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  return fc.record({
    operation: fc.constant(name),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    path: fc
      .tuple(pathOf(template, parameters, known), queryOf(parameters, known))
      .map(([path, query]) => path + query),
    headers: fc
      .tuple(
        contentType,
        credentials,
        declaredHeaders(parameters, known),
        fc.oneof(
          { weight: 3, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: unusualHeaders },
        ),
      )
      .map((each): Headers => Object.assign({}, ...each)),
    body: bodyOf(schema, known),
    accountIndex: fc.nat({ max: 2 }),
  });
}
