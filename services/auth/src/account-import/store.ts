// Raw SQL: one statement for many rows, lower(email) and ON CONFLICT are beyond Prisma.
import { INBOX } from '@atrium/contracts/queues';
import type { Plan } from '@atrium/contracts/auth/tokens';
import { newId } from '@atrium/contracts/ids';
import { NO_PASSWORD } from '@atrium/service-kit/password-hasher';
import { randomBytes } from 'node:crypto';
import type { Tx } from '../database.ts';
import { setPlan } from '../plans/set-plan.ts';
import { type ImportedAccount, RejectedLine } from './imported-account.ts';

export type Outcome = 'created' | 'already-there' | RejectedLine;

interface BatchOptions {
  plan: Plan;
  nowMs: number;
}

interface KnownAccount {
  email: string;
  externalId: string | null;
}

const INSERT = `
  INSERT INTO accounts (id, name, username, email, email_verified_at, password_hash, birthdate, gender, language,
                        external_id, created_at, updated_at)
  SELECT id, name, username, email, CASE WHEN is_verified THEN $12::timestamptz END, password_hash, birthdate::date,
    gender, language, external_id, created_at, $12::timestamptz
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::timestamptz[])
    AS new (id, name, username, email, is_verified, password_hash, birthdate, gender, language, external_id, created_at)
  ON CONFLICT DO NOTHING RETURNING id`;

/** Makes the accounts that are not there yet. @returns what became of each, in their order */
export async function insertBatch(
  tx: Tx,
  accounts: readonly ImportedAccount[],
  { plan, nowMs }: BatchOptions,
): Promise<Outcome[]> {
  const known = await findKnown(tx, accounts, nowMs);
  const isUsed = await findUsernames(tx, accounts, nowMs);
  const rows: (ImportedAccount & { id: string; username: string })[] = [];
  const outcomes = accounts.map((account): Outcome | { id: string } => {
    const there = known(account);
    if (there !== undefined) return there;
    const username = account.username ?? usernameOf(account.email, isUsed);
    if (isUsed(username)) return new RejectedLine('username', `${username} is taken`);
    isUsed.add(username);
    known.add(account);
    const id = newId('usr', nowMs);
    rows.push({ ...account, id, username });
    return { id };
  });
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  const inserted = await tx.query<{ id: string }>(INSERT, [
    column('id'),
    column('name'),
    column('username'),
    column('email'),
    column('isVerified'),
    rows.map(({ passwordHash }) => passwordHash ?? NO_PASSWORD),
    column('birthdate'),
    column('gender'),
    column('language'),
    column('externalId'),
    column('createdAt'),
    new Date(nowMs),
  ]);
  const created = new Set(inserted.map(({ id }) => id));
  await tx.appendMessages(
    rows.flatMap(({ id: accountId, externalId }) =>
      externalId === null || !created.has(accountId)
        ? []
        : {
            queue: INBOX.webhooks,
            kind: 'account.imported',
            accountId,
            data: { externalId },
            nowMs,
          },
    ),
  );
  if (plan !== 'free') {
    for (const accountId of created) await setPlan(tx, { accountId, plan, nowMs });
  }
  return outcomes.map((outcome) => {
    if (typeof outcome === 'string' || outcome instanceof RejectedLine) return outcome;
    if (created.has(outcome.id)) return 'created';
    return new RejectedLine('email', 'It was registered at the same moment: run the import again');
  });
}

/** Finds accounts by email address or by external id, among those stored and those of this batch. */
async function findKnown(tx: Tx, accounts: readonly ImportedAccount[], nowMs: number) {
  const emails = accounts.map(({ email }) => email.toLowerCase());
  const externalIds = accounts.flatMap(({ externalId }) => externalId ?? []);
  const stored = await tx.query<KnownAccount>(
    `SELECT lower(email) AS email, external_id AS "externalId" FROM accounts
     WHERE lower(email) = ANY($1) OR external_id = ANY($2)`,
    [emails, externalIds],
  );
  const reserved = await tx.query<{ email: string }>(
    `SELECT lower(email) AS email FROM email_tokens
     WHERE purpose = 'revert-email' AND lower(email) = ANY($1) AND expires_at > $2`,
    [emails, new Date(nowMs)],
  );
  const byEmail = new Map(stored.map(({ email, externalId }) => [email, externalId]));
  const ids = new Set(stored.map(({ externalId }) => externalId));
  const former = new Set(reserved.map(({ email }) => email));
  const find = ({ email, externalId }: ImportedAccount): Outcome | undefined => {
    const wanted = email.toLowerCase();
    if (externalId !== null && ids.has(externalId)) return 'already-there';
    const other = byEmail.get(wanted);
    if (other !== undefined) {
      if (externalId === null || other === externalId) return 'already-there';
      return new RejectedLine('email', 'Another account has this email address');
    }
    return former.has(wanted)
      ? new RejectedLine('email', 'The former owner of this email address can still restore it')
      : undefined;
  };
  const add = ({ email, externalId }: ImportedAccount) => {
    byEmail.set(email.toLowerCase(), externalId);
    if (externalId !== null) ids.add(externalId);
  };
  return Object.assign(find, { add });
}

async function findUsernames(tx: Tx, accounts: readonly ImportedAccount[], nowMs: number) {
  const wanted = accounts.map(({ email, username }) => (username ?? baseOf(email)).toLowerCase());
  const rows = await tx.query<{ username: string }>(
    `SELECT lower(username) AS username FROM accounts WHERE lower(username) = ANY($1)
     UNION ALL SELECT username FROM reserved_usernames WHERE username = ANY($1) AND expires_at > $2`,
    [wanted, new Date(nowMs)],
  );
  const used = new Set(rows.map(({ username }) => username));
  const isUsed = (username: string) => used.has(username.toLowerCase());
  return Object.assign(isUsed, {
    add: (username: string) => void used.add(username.toLowerCase()),
  });
}

/** What a username can keep of an email address. */
function baseOf(email: string): string {
  const [local = ''] = email.split('@');
  const base = local.replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, 30);
  return base.length < 3 ? `user-${base}` : base;
}

function usernameOf(email: string, isUsed: (username: string) => boolean): string {
  const base = baseOf(email);
  return isUsed(base) ? `${base.slice(0, 21)}-${randomBytes(4).toString('hex')}` : base;
}
