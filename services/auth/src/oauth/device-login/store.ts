import type { GrantedScope } from '@atrium/contracts/auth/authorization';
import { coarseNetworkOf } from '../../sessions/network.ts';
import type { Queries, Tx } from '../../database.ts';
import { isApiScope, isGrantedScope, splitScope } from '../provider/constants.ts';

/** A device that waits, as the provider has stored it (RFC 8628 section 3.2). */
export interface WaitingDevice {
  applicationId: string;
  userCode: string;
  /** What it asks for, as far as its application is registered for it. */
  scopes: GrantedScope[];
  deviceName: string | null;
  network: string;
  createdAt: Date;
  expiresAt: Date;
}

interface Row extends Omit<WaitingDevice, 'network' | 'createdAt' | 'scopes'> {
  scope: string;
  registered: string[] | null;
  ipAddress: string;
  iat: number;
}

const WAITING = `
  model = 'DeviceCode' AND user_code = $1 AND expires_at > $2 AND consumed_at IS NULL AND grant_id IS NULL
    AND NOT payload ? 'error'`;

/** The code as the provider keeps it: without its hyphen. */
export const parseUserCode = (code: string) => code.toUpperCase().replaceAll(/[^A-Z]/g, '');
const formatUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

/** @returns undefined when no such device waits to be confirmed or denied */
export async function findWaitingDevice(
  queries: Queries,
  code: string,
  nowMs: number,
): Promise<WaitingDevice | undefined> {
  const [row] = await queries.query<Row>(
    `SELECT payload ->> 'clientId' AS "applicationId", user_code AS "userCode", expires_at AS "expiresAt",
       coalesce(payload -> 'params' ->> 'scope', '') AS scope,
       (SELECT scopes FROM applications WHERE id = payload ->> 'clientId') AS registered,
       (payload ->> 'iat')::float8 AS iat,
       payload -> 'params' ->> 'device_name' AS "deviceName", payload -> 'deviceInfo' ->> 'ip' AS "ipAddress"
     FROM oauth_records WHERE ${WAITING}`,
    [parseUserCode(code), new Date(nowMs)],
  );
  if (row === undefined) return undefined;
  const { ipAddress, iat, userCode, scope, registered, ...device } = row;
  return {
    ...device,
    // The library does not compare them when the device names the resource.
    scopes: splitScope(scope)
      .filter(isGrantedScope)
      .filter((each) => !isApiScope(each) || registered?.includes(each)),
    userCode: formatUserCode(userCode),
    network: coarseNetworkOf(ipAddress),
    createdAt: new Date(iat * 1000),
  };
}

/** What the provider finds when the device asks again. */
export interface Decision {
  /** If this session ends before the device has its tokens, the decision is void. */
  sessionId: string | null;
  accountId: string | null;
  grantId: string | null;
  /** What is stored of the code, in the names of the library. */
  payload: Record<string, unknown>;
}

/** Only one of parallel decisions counts. @returns whether this one did */
export async function decideDevice(
  tx: Tx,
  code: string,
  { sessionId, accountId, grantId, payload }: Decision,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.query<object>(
    `UPDATE oauth_records SET payload = payload || $3::jsonb, session_id = $4, account_id = $5, grant_id = $6
     WHERE ${WAITING} RETURNING 1`,
    [parseUserCode(code), new Date(nowMs), JSON.stringify(payload), sessionId, accountId, grantId],
  );
  return rows.length === 1;
}

/** How strong the login of a session was. */
export async function hasPassedSecondFactor(tx: Tx, sessionId: string): Promise<boolean> {
  const session = await tx.prisma.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { passedSecondFactor: true },
  });
  return session.passedSecondFactor;
}
