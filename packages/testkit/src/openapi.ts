interface Response {
  description: string;
  headers?: Record<string, unknown>;
}

interface Operation {
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean };
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

/**
 * Where a service does otherwise than its OpenAPI document says: which credentials a route needs,
 * whether it needs a body, which errors it declares and with what. Each operation is called without
 * credentials, and those with a body also with all of them and no body.
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
    const response = await fetch(`${origin}${path}`, options);
    return { status: response.status, text: await response.text() };
  };
  const text = (await send('get', '/openapi.json')).text;
  const document = dereference(JSON.parse(text)) as Document;
  const schemes = document.components?.securitySchemes ?? {};
  const faults: string[] = [];
  for (const [template, operations] of Object.entries(document.paths)) {
    const path = template.replaceAll(/\{[^}]+\}/g, 'x');
    for (const [method, operation] of Object.entries(operations)) {
      const check = (isSo: boolean, fault: string) => {
        if (!isSo) faults.push(`${method.toUpperCase()} ${template} ${fault}`);
      };
      const { requestBody, responses, security = [] } = operation;
      const names = security.flatMap((each) => Object.keys(each));
      check(
        names.every((name) => name in schemes),
        'names an unknown security scheme',
      );
      const anonymous = await send(method, path);
      const isPublic = security.some((each) => Object.keys(each).length === 0);
      const isRefused = anonymous.status === 401 && names.length > 0;
      check(
        names.length === 0 || isPublic !== isRefused,
        `names ${names.join()} but does otherwise`,
      );
      check(String(anonymous.status) in responses, `answers ${anonymous.status} undeclared`);
      check(
        names.length > 0 || !/Authentication required|[Ss]ecret/.test(anonymous.text),
        'declares no security, but needs credentials',
      );
      if (requestBody !== undefined) {
        const bodiless = await send(method, path, credentials);
        const isRequired = bodiless.status === 400 && bodiless.text.includes(BODY_REQUIRED);
        check(isRequired === (requestBody.required ?? false), 'is wrong about its body');
      }
      if (method !== 'get') {
        check('413' in responses && '415' in responses, 'does not declare 413 and 415');
      }
      for (const status of ['400', '422', '429', '500', '503'])
        check(status in responses, `does not declare ${status}`);
      for (const status of ['429', '503'])
        check('retry-after' in (responses[status]?.headers ?? {}), `${status} without retry-after`);
      for (const [status, { description }] of Object.entries(responses))
        check(description !== 'Default Response', `does not explain ${status}`);
    }
  }
  return faults;
}
