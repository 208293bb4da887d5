import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

const setSecurityHeaders = helmet({
  // Only /docs is a page that loads anything, and it has its own policy.
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'same-site' },
  frameguard: { action: 'deny' },
  // Headers for obsolete browsers and plugins.
  dnsPrefetchControl: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
});

/**
 * The headers that helmet sets. They are the same for every response, so helmet runs only once: run
 * for each response, it takes a tenth of the time of a small request.
 */
export function securityHeaders(): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setSecurityHeaders(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
