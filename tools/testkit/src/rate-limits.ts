/** Routes that no OpenAPI document lists, and a page that does not exist. */
const UNDOCUMENTED = ['/livez', '/readyz', '/openapi.json', '/docs/', '/no/such/page'];

/** A list of quota policies (draft-ietf-httpapi-ratelimit-headers-10 section 3). */
const POLICIES = /^"[\w-]+";q=\d+;w=\d+(, "[\w-]+";q=\d+;w=\d+)*$/;
/** A list of service limits (section 4). */
const LIMITS = /^"[\w-]+";r=\d+;t=\d+(, "[\w-]+";r=\d+;t=\d+)*$/;

/**
 * Calls every route of a running service without and with credentials. Returns those whose responses
 * do not name a rate limit.
 */
export async function unlimitedRoutes(
  origin: string,
  credentials: Record<string, string>,
): Promise<string[]> {
  const text = await (await fetch(`${origin}/openapi.json`)).text();
  const document: { paths: Record<string, object> } = JSON.parse(text);
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => [method, path.replaceAll(/\{[^}]+\}/g, 'x')] as const),
  );
  const routes = [...documented, ...UNDOCUMENTED.map((path) => ['get', path] as const)];
  const unlimited: string[] = [];
  for (const [method, path] of routes) {
    for (const headers of [{}, credentials]) {
      const response = await fetch(`${origin}${path}`, {
        method: method.toUpperCase(),
        headers,
        redirect: 'manual',
      });
      // An event stream does not end by itself.
      await response.body?.cancel();
      const policies = response.headers.get('ratelimit-policy') ?? '';
      const limits = response.headers.get('ratelimit') ?? '';
      if (POLICIES.test(policies) && LIMITS.test(limits)) continue;
      unlimited.push(`${method.toUpperCase()} ${path} answers ${response.status}`);
    }
  }
  return unlimited;
}
