const draining = new WeakSet<object>();

/**
 * From now on `/readyz` answers 503, and every response closes its connection. Requests are still answered:
 * one may have been sent just before the listening socket closed, and a gateway may not repeat it.
 */
export function beginShutdown(server: object): void {
  draining.add(server);
}

export const isDraining = (server: object): boolean => draining.has(server);
