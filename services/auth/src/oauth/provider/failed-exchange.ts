import type { IncomingMessage } from 'node:http';
import type { Sql } from '@atrium/service-kit/database';
import Provider from 'oidc-provider';

interface Exchange {
  /** What the request has consumed, and when: a code or a refresh token. */
  consumed: { model: string; idHash: Uint8Array; at: Date };
  /** The refresh token that it has made. */
  issued?: Uint8Array;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Call it before the statement: its result may be lost. */
export function rememberConsumed(consumed: Exchange['consumed']): void {
  if (Provider.ctx !== undefined) exchanges.set(Provider.ctx.req, { consumed });
}

export function rememberIssued(idHash: Uint8Array): void {
  const exchange = Provider.ctx && exchanges.get(Provider.ctx.req);
  if (exchange !== undefined) exchange.issued = idHash;
}

const UNDO = `
  WITH unsent AS (DELETE FROM oauth_records WHERE model = 'RefreshToken' AND id_hash = $4)
  UPDATE oauth_records SET consumed_at = NULL WHERE model = $1 AND id_hash = $2 AND consumed_at = $3`;

/**
 * For a token request that has failed: as nothing was sent, what it has consumed can be used again. Otherwise a repeat
 * would be taken for a replay and end the login.
 */
export async function undoExchange(sql: Sql, request: IncomingMessage): Promise<void> {
  const exchange = exchanges.get(request);
  if (exchange === undefined) return;
  const { consumed, issued = null } = exchange;
  await sql.query(UNDO, [consumed.model, consumed.idHash, consumed.at, issued]);
}
