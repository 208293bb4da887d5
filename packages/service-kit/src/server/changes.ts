import type { Server, ServerOptions } from './server.ts';

/** Methods of requests that change nothing. */
export const CHANGES_NOTHING = ['GET', 'HEAD', 'OPTIONS'];

/** Whatever the answer is: a request that failed may have changed something too. */
export function reportChanges(server: Server, onChange: ServerOptions['onChange']): void {
  if (onChange === undefined) return;
  server.addHook('onSend', async ({ account, method }) => {
    if (account !== null && !CHANGES_NOTHING.includes(method)) await onChange(account.id);
  });
}
