import { createHash, randomBytes } from 'node:crypto';
import type { Plan } from '@atrium/contracts/auth/tokens';
import {
  PORTAL_SESSION_MINUTES,
  type Portal,
  type PutPortalBody,
} from '@atrium/contracts/webhooks/portal';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { Database } from '../database.ts';
import { findRecipients } from '../publishing/recipients.ts';

export const PORTAL_TOKEN_PREFIX = 'ptl_';
const TOKEN_BYTES = 32;

/** Whose webhooks a portal token opens, and of which product. */
export interface PortalSession {
  accountId: string;
  plan: Plan;
  namespace: string;
  /** The session of the token that has made the link: both end together. */
  sessionId: string;
  expiresAt: Date;
}

export interface PortalStore {
  /** Its own namespaces, each with its portal. */
  list(accountId: string): Promise<{ namespace: string; portal: Portal | null }[]>;
  /** False when the namespace is not the account's. */
  put(namespace: string, accountId: string, settings: PutPortalBody): Promise<boolean>;
  createSession(request: SessionRequest): Promise<SessionResult>;
  /** Exchanges the token of a link; undefined when it is unknown or has ended. */
  open(
    token: string,
  ): Promise<{ accessToken: string; expiresAt: Date; portal: Portal } | undefined>;
  findSession(accessToken: string): Promise<PortalSession | undefined>;
  /** Whether the webhook, or that of the delivery, has only ever asked for events of the product. */
  covers(session: PortalSession, subject: 'webhook' | 'delivery', id: string): Promise<boolean>;
}

export interface SessionRequest {
  namespace: string;
  /** Whose webhooks it shows. */
  recipient: { accountId: string } | { externalId: string };
  publisher: { id: string; applicationId: string | null; sessionId: string };
}

export type SessionResult =
  | { kind: 'created'; token: string; expiresAt: Date }
  /** The namespace is not the publisher's, or has no portal. */
  | { kind: 'missing' }
  | { kind: 'refused'; code: 'recipient-not-allowed' | 'recipient-unknown' };

// All SQL here is raw: times by the clock of Postgres, and joins.

/** As for publishing: an account's own events reach itself, and an application that is trusted anybody. */
const mayReach = (accountId: string, applicationId: string) =>
  `(${accountId} = n.account_id OR n.trusted_application_id = ${applicationId})`;

// Each creation also removes some that have expired, so that nothing else has to.
const CREATE = `
  WITH expired AS (
    DELETE FROM portal_sessions WHERE link_hash IN (
      SELECT link_hash FROM portal_sessions WHERE expires_at < now() LIMIT 100)
  )
  INSERT INTO portal_sessions
    (link_hash, access_hash, namespace, account_id, application_id, session_id, expires_at)
  SELECT $3, $4, n.name, $2, $5, $6, now() + interval '${PORTAL_SESSION_MINUTES} minutes'
  FROM namespaces n WHERE n.name = $1 AND ${mayReach('$2', '$5')}
  RETURNING expires_at AS "expiresAt"`;

const SESSION = `
  FROM portal_sessions s JOIN namespaces n ON n.name = s.namespace
  JOIN portals p ON p.namespace = n.name
  WHERE s.expires_at > now() AND ${mayReach('s.account_id', 's.application_id')}`;
const OPEN = `
  SELECT s.session_id AS "sessionId", s.expires_at AS "expiresAt", p.namespace, p.name, p.colour, p.logo, p.origins
  ${SESSION} AND s.link_hash = $1`;
const FIND = `
  SELECT s.account_id AS "accountId", s.namespace, s.session_id AS "sessionId",
    s.expires_at AS "expiresAt",
    coalesce((SELECT plan FROM owners WHERE account_id = s.account_id), 'free') AS plan
  ${SESSION} AND s.access_hash = $1`;

const COVERS_WEBHOOK =
  'SELECT 1 FROM subscriptions WHERE id = $1 AND account_id = $2 AND namespace = $3';
// Its owner may have sent it a test event of another product.
const COVERS_DELIVERY = `
  SELECT 1 FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
  WHERE d.id = $1 AND s.account_id = $2 AND s.namespace = $3 AND starts_with(d.event, $3 || '.')`;

const hash = (token: string) => createHash('sha256').update(token).digest();

/** What the pages of an opened portal send: it follows from the link, and the link not from it. */
function accessTokenOf(linkToken: string): string {
  const bytes = createHash('sha256').update(`access/${linkToken}`).digest();
  return PORTAL_TOKEN_PREFIX + bytes.toString('base64url');
}

/** @param isCurrent whether what has made a link has not ended itself */
export function createPortalStore(
  database: Database,
  isCurrent: Authenticator['isCurrent'],
): PortalStore {
  async function findCurrent<Row extends { sessionId: string; expiresAt: Date }>(
    statement: string,
    token: string,
  ): Promise<Row | undefined> {
    const [row] = await database.query<Row>(statement, [hash(token)]);
    if (row === undefined) return undefined;
    const { sessionId, expiresAt } = row;
    return isCurrent({ sessionId, expiresAtMs: expiresAt.getTime() }) ? row : undefined;
  }

  async function ownPortal(name: string, accountId: string) {
    const where = { name, accountId, portal: { isNot: null } };
    return (await database.prisma.namespace.count({ where })) > 0;
  }

  async function isTrusted(name: string, trustedApplicationId: string | null) {
    if (trustedApplicationId === null) return false;
    return (await database.prisma.namespace.count({ where: { name, trustedApplicationId } })) > 0;
  }

  return {
    async list(accountId) {
      const where = { accountId };
      const rows = await database.prisma.namespace.findMany({
        where,
        orderBy: { name: 'asc' },
        include: { portal: true },
      });
      return rows.map(({ name: namespace, portal }) => ({ namespace, portal }));
    },

    async put(namespace, accountId, settings) {
      if ((await database.prisma.namespace.count({ where: { name: namespace, accountId } })) === 0)
        return false;
      const create = { namespace, ...settings };
      await database.prisma.portal.upsert({ where: { namespace }, create, update: settings });
      return true;
    },

    async createSession({ namespace, recipient, publisher }) {
      if (!(await ownPortal(namespace, publisher.id))) return { kind: 'missing' };
      let accountId: string | undefined;
      if ('accountId' in recipient) accountId = recipient.accountId;
      else {
        if (!(await isTrusted(namespace, publisher.applicationId)))
          return { kind: 'refused', code: 'recipient-not-allowed' };
        const { externalId } = recipient;
        accountId = (await findRecipients(database, [externalId])).get(externalId);
      }
      if (accountId === undefined) return { kind: 'refused', code: 'recipient-unknown' };
      const token = PORTAL_TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
      const hashes = [hash(token), hash(accessTokenOf(token))];
      const { applicationId, sessionId } = publisher;
      const values = [namespace, accountId, ...hashes, applicationId, sessionId];
      const [created] = await database.query<{ expiresAt: Date }>(CREATE, values);
      if (created === undefined) return { kind: 'refused', code: 'recipient-not-allowed' };
      return { kind: 'created', token, ...created };
    },

    async open(token) {
      const row = await findCurrent<Portal & { sessionId: string; expiresAt: Date }>(OPEN, token);
      if (row === undefined) return undefined;
      const { sessionId: _, expiresAt, ...portal } = row;
      return { accessToken: accessTokenOf(token), expiresAt, portal };
    },

    findSession: (accessToken) => findCurrent<PortalSession>(FIND, accessToken),

    async covers({ accountId, namespace }, subject, id) {
      const statement = subject === 'webhook' ? COVERS_WEBHOOK : COVERS_DELIVERY;
      return (await database.query(statement, [id, accountId, namespace])).length > 0;
    },
  };
}
