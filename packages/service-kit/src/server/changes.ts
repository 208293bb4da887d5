import type { Server, ServerOptions } from './server.ts';

/** Methods of requests that change nothing. */
export const CHANGES_NOTHING = ['GET', 'HEAD', 'OPTIONS'];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It is polled until work is done that a worker does for its account. */
    tellsOfChanges?: boolean;
  }
}

/** Whatever the answer is: a request that failed may have changed something too. */
export function reportChanges(server: Server, onChange: ServerOptions['onChange']): void {
  if (onChange === undefined) return;
  server.addHook('onSend', async ({ account, method, routeOptions: { config } }) => {
    const mayChange = !CHANGES_NOTHING.includes(method) || config.tellsOfChanges === true;
    if (account !== null && mayChange) await onChange(account.id);
  });
}
