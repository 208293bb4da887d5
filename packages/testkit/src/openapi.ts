interface Operation {
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean };
  responses: Record<string, { description?: string; headers?: Record<string, unknown> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, { name?: string }> };
}

const REFUSED_BODY = 'Request body is required';

/**
 * Where a service does otherwise than its OpenAPI document says: who is let in, whether a body must be
 * sent, which faults are declared and with what. Each operation is called without credentials, and
 * those with a body also with all of them and no body.
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
    const answer = await fetch(`${origin}${path}`, options);
    return { status: answer.status, text: await answer.text() };
  };
  const document: Document = JSON.parse((await send('get', '/openapi.json')).text);
  const schemes = document.components?.securitySchemes ?? {};
  const faults: string[] = [];
  for (const [template, operations] of Object.entries(document.paths)) {
    const path = template.replaceAll(/\{[^}]+\}/g, 'x');
    for (const [method, operation] of Object.entries(operations)) {
      const report = (isSo: boolean, fault: string) => {
        if (!isSo) faults.push(`${method.toUpperCase()} ${template} ${fault}`);
      };
      const { requestBody, responses, security = [] } = operation;
      const names = security.flatMap((each) => Object.keys(each));
      report(
        names.every((name) => name in schemes),
        'names a security scheme that is not there',
      );
      const stranger = await send(method, path);
      const isOpen = security.some((each) => Object.keys(each).length === 0);
      const isRefused = stranger.status === 401 && names.length > 0;
      report(
        names.length === 0 || isOpen !== isRefused,
        `needs ${names.join()} but does otherwise`,
      );
      report(String(stranger.status) in responses, `answers ${stranger.status} undeclared`);
      report(
        names.length > 0 || !/Authentication required|[Ss]ecret/.test(stranger.text),
        'declares no security, but refuses strangers',
      );
      if (requestBody !== undefined) {
        const bodiless = await send(method, path, credentials);
        const isRequired = bodiless.status === 400 && bodiless.text.includes(REFUSED_BODY);
        report(isRequired === (requestBody.required ?? false), 'says otherwise about its body');
        report('413' in responses && '415' in responses, 'takes a body without 413 and 415');
      }
      for (const status of ['400', '429', '500', '503'])
        report(status in responses, `does not declare ${status}`);
      for (const status of ['429', '503'])
        report(
          'retry-after' in (responses[status]?.headers ?? {}),
          `${status} without retry-after`,
        );
      for (const [status, { description }] of Object.entries(responses))
        report(Number(status) < 400 || description !== 'Default Response', `${status} unexplained`);
    }
  }
  return faults;
}
