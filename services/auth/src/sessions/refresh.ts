import { REFRESH_TOKEN_TTL_SECONDS } from '@atrium/contracts/auth';
import type { Plan } from '@atrium/contracts/tokens';
import type { Database, Sql } from '@atrium/service-kit/database';
import type { TokenSubject } from '../keys/access-token.ts';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { hashRefreshToken, successorsOf } from './refresh-token.ts';
import { revokeSession } from './store.ts';

/** Two tabs, or an answer that got lost: for so long the old token still gets its successor. */
const GRACE_MS = 20_000;

export type Refresh =
  | { kind: 'refreshed'; refreshToken: string; subject: TokenSubject }
  | { kind: 'refused' }
  /** A token came back after its grace: somebody has a copy, so the whole family ends. */
  | { kind: 'replayed'; sessionId: string };

interface TokenRow {
  sessionId: string;
  accountId: string;
  plan: Plan;
  emailVerified: boolean;
  isRevoked: boolean;
  successorHash: Buffer | null;
  rotatedAt: Date | null;
  expiresAt: Date;
}

/** Exchanges a refresh token for its successor. The row lock makes parallel requests take turns. */
export function refresh(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  token: string,
  nowMs: number,
): Promise<Refresh> {
  return database.transaction(async (tx) => {
    const row = await lockToken(tx, token);
    if (row === undefined || row.isRevoked) {
      return { kind: 'refused' };
    }
    const { accountId, sessionId, plan, emailVerified } = row;
    const subject = { accountId, sessionId, plan, emailVerified };
    const successors = successorsOf(keyRing, token);
    if (row.rotatedAt === null) {
      if (row.expiresAt.getTime() <= nowMs) {
        return { kind: 'refused' };
      }
      const [refreshToken] = successors;
      await rotate(tx, { token, refreshToken, sessionId, nowMs });
      return { kind: 'refreshed', refreshToken, subject };
    }
    if (nowMs - row.rotatedAt.getTime() <= GRACE_MS) {
      // Another replica may have rotated it with another key while keys are being changed.
      const refreshToken = successors.find((one) => isHashOf(row.successorHash, one));
      return refreshToken === undefined
        ? { kind: 'refused' }
        : { kind: 'refreshed', refreshToken, subject };
    }
    await revokeSession(tx, sessionId, nowMs);
    return { kind: 'replayed', sessionId };
  });
}

function isHashOf(hash: Buffer | null, token: string): boolean {
  return hash !== null && hashRefreshToken(token).equals(hash);
}

async function rotate(
  tx: Sql,
  rotation: { token: string; refreshToken: string; sessionId: string; nowMs: number },
): Promise<void> {
  await tx.query(
    `WITH successor AS (
       INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at)
       VALUES ($2, $3, $4, $5)
     ), used AS (
       UPDATE sessions SET last_used_at = $4 WHERE id = $3
     )
     UPDATE refresh_tokens SET rotated_at = $4, successor_hash = $2 WHERE hash = $1`,
    [
      hashRefreshToken(rotation.token),
      hashRefreshToken(rotation.refreshToken),
      rotation.sessionId,
      new Date(rotation.nowMs),
      new Date(rotation.nowMs + REFRESH_TOKEN_TTL_SECONDS * 1000),
    ],
  );
}

/** Locks the session first, so that a refresh and a revocation of its session take turns. */
async function lockToken(tx: Sql, token: string): Promise<TokenRow | undefined> {
  const [row] = await tx.query<TokenRow>(
    `SELECT s.id AS "sessionId", a.id AS "accountId", a.plan,
            a.email_verified_at IS NOT NULL AS "emailVerified",
            s.revoked_at IS NOT NULL AS "isRevoked",
            t.successor_hash AS "successorHash", t.rotated_at AS "rotatedAt",
            t.expires_at AS "expiresAt"
     FROM refresh_tokens t
     JOIN sessions s ON s.id = t.session_id
     JOIN accounts a ON a.id = s.account_id
     WHERE t.hash = $1
     FOR NO KEY UPDATE OF s, t`,
    [hashRefreshToken(token)],
  );
  return row;
}
