import type { IncomingMessage } from 'node:http';
import type { Sql } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';

interface Exchange {
  /** What the request has consumed, and when: a code or a refresh token. */
  consumed: { model: string; idHash: Uint8Array; at: Date };
  /** The refresh token that it has made. */
  issued?: Uint8Array;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/**
 * Call it before the statement: its result may be lost. `Provider.ctx` is undefined outside of the
 * provider's requests.
 */
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
 * What a token request has consumed can be used again when it has failed through no fault of its application, as
 * nothing was sent. Otherwise a repeat would be taken for a replay and end the login. All others count as refreshes.
 */
export async function undoFailedExchange(
  ctx: Pick<KoaContextWithOIDC, 'req' | 'status' | 'body' | 'remove'>,
  { database, logger }: { database: Sql; logger: Logger },
): Promise<void> {
  const exchange = exchanges.get(ctx.req);
  if (exchange === undefined || !(ctx.status >= 500 || lacksScopes(ctx.body))) return;
  const { consumed, issued = null } = exchange;
  try {
    await database.query(UNDO, [consumed.model, consumed.idHash, consumed.at, issued]);
  } catch (error) {
    // 503 would invite the application to repeat the request, and that would end the login.
    ctx.status = 500;
    ctx.remove('error-code');
    ctx.remove('retry-after');
    logger.error({ err: error }, 'a failed token request could not be undone');
  }
}

/** What its owner or an operator allows an application may change. */
const lacksScopes = (body: unknown) =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_scope';
