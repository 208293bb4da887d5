import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../database.ts';
import { Prisma } from '../../generated/client.ts';
import { PATHS } from './constants.ts';
import { rememberConsumed, rememberIssued } from './failed-exchange.ts';
import { hourlyMax } from '../../sessions/refresh.ts';
import { tokenHash } from '../../token-hash.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Refresh tokens kept per grant, besides those used in the last day: reuse of a kept one ends the grant. */
const TOKENS_KEPT = 2000;
const PURGE_LIMIT = 100;

interface RecordsOptions {
  database: Database;
  issuer: string;
  clockMs: () => number;
  accessTokenTtlSeconds: number;
  /** Whether the refreshes of a grant are limited. */
  isLimited: boolean;
  /** Ends a grant whose code or refresh token was used twice. */
  endGrant: (grantId: string) => Promise<unknown>;
}

interface Row {
  payload: Prisma.JsonValue;
  consumedAt: Date | null;
  grantId: string | null;
}

/**
 * What the provider keeps of each of its models, in `oauth_records`: under the hash of the id, which is the secret
 * that the other side holds, and without it.
 */
export function createRecords(model: string, options: RecordsOptions): Adapter {
  const { database, clockMs } = options;
  const { oauthRecord } = database.prisma;
  const keyOf = (id: string) => ({ model_idHash: { model, idHash: tokenHash(id) } });
  const current = () => ({ expiresAt: { gt: new Date(clockMs()) } });
  const select = { payload: true, consumedAt: true, grantId: true } as const;

  /** The URL that resumes an interaction contains its id. */
  const restored = (id: string) =>
    model === 'Interaction'
      ? { returnTo: new URL(`${PATHS.authorization}/${id}`, options.issuer).href }
      : {};

  const toPayload = ({ payload, consumedAt, grantId }: Row): AdapterPayload => ({
    ...Object(payload),
    // Tokens end with their grant, and that ends with its session. The library would take them for those of another
    // session once this one has allowed the application something else.
    expiresWithSession: undefined,
    ...(grantId === null ? {} : { grantId }),
    ...(consumedAt === null ? {} : { consumed: Math.floor(consumedAt.getTime() / 1000) }),
  });

  /** @throws 429 after the hourly limit; the token is not consumed. */
  async function limitRefreshes(id: string): Promise<void> {
    const held = await oauthRecord.findUnique({ where: keyOf(id), select });
    const consumedAt = { gt: new Date(clockMs() - HOUR_MS) };
    const where = { grantId: held?.grantId ?? '', model, consumedAt };
    if ((await oauthRecord.count({ where })) < hourlyMax(options.accessTokenTtlSeconds)) return;
    const error = new errors.OIDCProviderError(429, 'temporarily_unavailable');
    error.error_description = 'too many refreshes within an hour';
    throw error;
  }

  /**
   * Deletes used tokens first, but none of the last day: a thief could refresh until the token whose reuse ends the
   * grant was deleted. Raw SQL for SKIP LOCKED: parallel refreshes delete the same rows.
   */
  const purgeExcess = (grantId: string) =>
    database.query(
      `DELETE FROM oauth_records WHERE model = $1 AND id_hash IN (
         SELECT id_hash FROM oauth_records WHERE model = $1 AND id_hash = ANY (ARRAY(
           SELECT id_hash FROM oauth_records
           WHERE grant_id = $2 AND model = $1 AND (consumed_at IS NULL OR consumed_at < $3)
           ORDER BY consumed_at DESC NULLS FIRST, expires_at DESC
           OFFSET ${TOKENS_KEPT} LIMIT ${PURGE_LIMIT}
         )) FOR UPDATE SKIP LOCKED
       )`,
      [model, grantId, new Date(clockMs() - DAY_MS)],
    );

  return {
    async upsert(id, { jti: _jti, returnTo: _returnTo, ...payload }, expiresIn = 0) {
      // An interaction outlives the session that it began in: the person may have to log in again.
      const kept =
        model === 'Interaction' ? { ...payload, session: undefined, grantId: undefined } : payload;
      const { grantId, uid } = kept;
      const owner = payload.accountId ?? payload.result?.login?.accountId;
      const data = {
        idHash: tokenHash(id),
        // By JSON, what is undefined is left out.
        payload: JSON.parse(JSON.stringify(kept)) as Prisma.InputJsonObject,
        grantId: grantId ?? null,
        accountId: owner ?? null,
        sessionId: model === 'Session' && owner !== undefined ? (uid ?? null) : null,
        uid: uid ?? null,
        ...(payload.userCode === undefined ? {} : { userCode: payload.userCode }),
        expiresAt: new Date(clockMs() + expiresIn * 1000),
      };
      // A session is found by that of ours; the id in its cookie changes.
      const where = uid === undefined ? keyOf(id) : { uid };
      if (model === 'ReplayDetection') {
        const { count } = await oauthRecord.createMany({
          data: { model, ...data },
          skipDuplicates: true,
        });
        if (count === 0) throw new errors.InvalidRequest('the proof was used already');
        return;
      }
      if (model === 'RefreshToken') rememberIssued(data.idHash);
      const stored = oauthRecord.upsert({ where, create: { model, ...data }, update: data });
      await stored.catch((error: unknown) => {
        throw isWithoutGrant(error) ? new errors.InvalidGrant('it was used already') : error;
      });
      if (model === 'RefreshToken' && data.grantId !== null) await purgeExcess(data.grantId);
    },

    async find(id) {
      const where = { ...keyOf(id), ...current() };
      const row = await oauthRecord.findUnique({ where, select });
      return row === null ? undefined : { ...toPayload(row), ...restored(id), jti: id };
    },

    async findByUid(uid) {
      const row = await oauthRecord.findUnique({ where: { uid, model, ...current() }, select });
      if (row === null) return undefined;
      const payload = toPayload(row);
      // After logins to two applications at once, the session stored last may not know of the other one.
      const grants = await database.prisma.oauthGrant.findMany({
        where: { sessionId: uid },
        select: { id: true, applicationId: true },
      });
      const ofGrants = grants.map(({ id, applicationId }) => [
        applicationId,
        { sid: id, grantId: id },
      ]);
      const authorizations = { ...Object.fromEntries(ofGrants), ...payload.authorizations };
      return { ...payload, authorizations };
    },

    // Our own routes find the device: see device-login.
    async findByUserCode() {
      return undefined;
    },

    /** Only one of parallel requests with the same code or refresh token succeeds. */
    async consume(id) {
      if (model === 'RefreshToken' && options.isLimited) await limitRefreshes(id);
      const idHash = tokenHash(id);
      const consumedAt = new Date(clockMs());
      rememberConsumed({ model, idHash, at: consumedAt });
      const [row] = await oauthRecord.updateManyAndReturn({
        where: { model, idHash, consumedAt: null },
        data: { consumedAt },
        select: { model: true },
      });
      if (row !== undefined) return;
      const used = await oauthRecord.findUnique({ where: keyOf(id), select });
      if (used !== null && used.grantId !== null) await options.endGrant(used.grantId);
      throw new errors.InvalidGrant('it was used already');
    },

    async destroy(id) {
      await oauthRecord.deleteMany({ where: { model, idHash: tokenHash(id) } });
    },

    // The library ends the grant at the same time, and what it has issued goes with it. Both would wait for each
    // other's rows.
    async revokeByGrantId() {
      return undefined;
    },
  };
}

/** A parallel request with the same code or refresh token has ended the grant. */
const isWithoutGrant = (error: unknown) =>
  Provider.ctx?.oidc.route === 'token' &&
  error instanceof Prisma.PrismaClientKnownRequestError &&
  error.code === 'P2003';

/** @returns how many went; as many as `limit` when there may be more */
export async function purgeRecords(
  database: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const where = { expiresAt: { lt: before } };
  return (await database.prisma.oauthRecord.deleteMany({ where, limit })).count;
}
