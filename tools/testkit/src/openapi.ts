interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

interface Media {
  schema: { $ref?: string };
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Operation {
  parameters?: { in: string; name: string }[];
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, { name?: string }> };
}

const BODY_REQUIRED = 'Request body is required';

/** The document with each reference replaced by what it names; no schema of ours names itself. */
export function dereference(document: unknown): unknown {
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    if ('$ref' in value && typeof value.$ref === 'string') {
      const steps = value.$ref.split('/').slice(1);
      return resolve(steps.reduce((at: object, step) => Object(at)[step], Object(document)));
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return resolve(document);
}

/** The rules that are broken. */
function broken(rules: Record<string, boolean>): string[] {
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [rule]));
}

/** What the document lacks for an operation: names of itself and its schemas, a summary, examples. */
function namingFaults(operation: Operation): string[] {
  const { operationId = '', summary = '', tags = [], requestBody, responses } = operation;
  const bodies = [requestBody, ...Object.values(responses)];
  const media = bodies.flatMap((body) => Object.values(body?.content ?? {}));
  return broken({
    'lacks an operationId in camelCase': /^[a-z]+([A-Z][a-z]*)+$/.test(operationId),
    'lacks a summary without a full stop': /^[A-Z].*[^.]$/.test(summary),
    'lacks one tag in sentence case': tags.length === 1 && /^[A-Z]/.test(tags.join()),
    'has a schema without a name': media.every(({ schema }) => schema.$ref !== undefined),
    'has a body without an example': media.every(
      ({ example, examples }) => (example ?? examples) !== undefined,
    ),
  });
}

/** The errors that every operation can answer, with what comes with them. */
function responseFaults(method: string, { responses }: Operation): string[] {
  const always = ['400', '422', '429', '500', '503', ...(method === 'get' ? [] : ['413', '415'])];
  const hasRetryAfter = (status: string) => 'retry-after' in (responses[status]?.headers ?? {});
  return [
    ...always.filter((status) => !(status in responses)).map((status) => `lacks ${status}`),
    ...broken({
      'lacks retry-after': hasRetryAfter('429') && hasRetryAfter('503'),
      'has a response without a description': Object.values(responses).every(
        ({ description }) => description !== 'Default Response',
      ),
    }),
  ];
}

/**
 * Where a service does otherwise than its OpenAPI document says: which credentials a route needs,
 * whether it needs a body, which errors it declares; and what the document lacks. Each operation is
 * called without credentials, and those with a body also with all of them and no body.
 *
 * @param origin of the running service
 * @param credentials headers that open every route
 */
export async function documentFaults(
  origin: string,
  credentials: Record<string, string>,
): Promise<string[]> {
  const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const options = { method: method.toUpperCase(), headers, redirect: 'manual' } as const;
    const response = await fetch(`${origin}${path.replaceAll(/\{[^}]+\}/g, 'x')}`, options);
    return { status: response.status, text: await response.text() };
  };
  const named: Document = JSON.parse((await send('get', '/openapi.json')).text);
  const document = dereference(named) as Document;
  const schemes = document.components?.securitySchemes ?? {};

  const behaviourFaults = async (method: string, path: string, operation: Operation) => {
    const { requestBody, responses, security = [] } = operation;
    const names = security.flatMap((each) => Object.keys(each));
    const isOptional = security.some((each) => Object.keys(each).length === 0);
    const anonymous = await send(method, path);
    const isRefused = anonymous.status === 401;
    const faults = broken({
      'names an unknown security scheme': names.every((name) => name in schemes),
      'is wrong about its security': names.length === 0 || isOptional !== isRefused,
      'declares no security, but needs credentials':
        names.length > 0 || !/Authentication required|[Ss]ecret/.test(anonymous.text),
      [`answers ${anonymous.status} undeclared`]: String(anonymous.status) in responses,
    });
    if (requestBody === undefined) return faults;
    const bodiless = await send(method, path, credentials);
    const isRequired = bodiless.status === 400 && bodiless.text.includes(BODY_REQUIRED);
    return isRequired === requestBody.required ? faults : [...faults, 'is wrong about its body'];
  };

  const faults: string[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const source = named.paths[path]?.[method] ?? operation;
      const found = [
        ...namingFaults(source),
        ...responseFaults(method, operation),
        ...(await behaviourFaults(method, path, operation)),
      ];
      faults.push(...found.map((fault) => `${method.toUpperCase()} ${path} ${fault}`));
    }
  }
  return faults;
}

/** The POST routes that create something, or accept to, without taking an `Idempotency-Key`. */
export async function creationsWithoutKey(origin: string): Promise<string[]> {
  const document: Document = JSON.parse(await (await fetch(`${origin}/openapi.json`)).text());
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const creates = ['201', '202'].some((status) => status in (post?.responses ?? {}));
    const takesKey = post?.parameters?.some(({ name }) => name === 'idempotency-key') ?? false;
    return creates && !takesKey ? [path] : [];
  });
}
