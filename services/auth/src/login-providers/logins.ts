import type { ProviderSignUpBody } from '@atrium/contracts/auth/login-providers';
import type { MfaRequired } from '@atrium/contracts/auth/mfa';
import type { Language } from '@atrium/contracts/auth/profile';
import type { Plan } from '@atrium/contracts/auth/tokens';
import { HttpError } from '@atrium/service-kit/http-error';
import { NO_PASSWORD } from '@atrium/service-kit/password-hasher';
import { markVerified } from '../accounts/email-store.ts';
import { insertAccount } from '../accounts/new-account-store.ts';
import type { Requester } from '../accounts/requester.ts';
import { findByEmail, lockBySession } from '../accounts/store.ts';
import { lockUsername } from '../accounts/username-store.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Database } from '../database.ts';
import type { Logins } from '../login/logins.ts';
import { setPlan } from '../plans/set-plan.ts';
import { checkPerson } from '../registration/person.ts';
import { askSecondFactor } from '../login/second-factor-step.ts';
import type { Client } from '../sessions/client.ts';
import type { StartedSession } from '../sessions/start-session.ts';
import type { RecordIdentityChange } from './identity-change.ts';
import type { Flow } from './flow-store.ts';
import type { ProvidedPerson } from './provider-client.ts';
import type { KnownProviders } from './providers.ts';
import { findIdentityOwner, insertIdentity, type ProviderSubject, useIdentity } from './store.ts';

export interface ProviderLoginDeps {
  database: Database;
  providers: KnownProviders;
  logins: Logins;
  audit: AuditLog;
  recordChange: RecordIdentityChange;
  defaultPlan: Plan;
  clockMs: () => number;
}

type Outcome =
  | StartedSession
  | MfaRequired
  | { signUp: { provider: string; email: string; name: string } }
  | { linked: string };

interface LinkedPerson extends ProviderSubject {
  accountId: string;
  client: Client;
}

/**
 * Logs in the person that a provider has named: starts a session, after the second factor if the account has one;
 * links the provider to the account that asked for it; or returns what a new account needs. An existing account is
 * never found by its email address: its owner proves that it is theirs, and links it.
 *
 * @throws HttpError 401, 403 or 409 when it is none of them
 */
export async function completeProviderLogin(
  deps: ProviderLoginDeps,
  flow: Flow | undefined,
  client: Client,
): Promise<Outcome> {
  const { database, providers } = deps;
  if (flow?.person === undefined) throw expired();
  const { provider, person, link } = flow;
  const { subject } = person;
  if (link !== undefined) {
    await linkTo(deps, { provider, person, requester: { ...link, origin: client.origin } });
    return { linked: providers.nameOf(provider) };
  }
  const accountId = await findIdentityOwner(database, { provider, subject });
  if (accountId === undefined) {
    const email = await unusedEmail(deps, person);
    return { signUp: { provider: providers.nameOf(provider), email, name: person.name } };
  }
  return logInAs(deps, { accountId, provider, subject, client });
}

/** Starts a session of the account that the person is linked with, or asks for its second factor. */
async function logInAs(
  deps: ProviderLoginDeps,
  { accountId, provider, subject, client }: LinkedPerson,
): Promise<StartedSession | MfaRequired> {
  const nowMs = deps.clockMs();
  const { origin } = client;
  const started = await deps.logins.complete<MfaRequired>({
    accountId,
    client,
    nowMs,
    passedSecondFactor: false,
    async prove(tx) {
      if (!(await useIdentity(tx, { provider, subject, accountId, nowMs }))) return 'refused';
      return askSecondFactor(tx, deps.audit, { accountId, origin, nowMs });
    },
  });
  if (started === 'refused') throw expired();
  return started;
}

/**
 * Makes an account for a new person, whose email address the provider has verified, and logs them in. Repeated, it
 * logs them in again.
 */
export async function signUpWithProvider(
  deps: ProviderLoginDeps,
  signUp: { flow: Flow | undefined; body: ProviderSignUpBody; client: Client; language: Language },
): Promise<StartedSession> {
  const { flow, body, client, language } = signUp;
  if (flow?.person === undefined || flow.link !== undefined) throw expired();
  const { provider, person } = flow;
  const { subject } = person;
  const known = await findIdentityOwner(deps.database, { provider, subject });
  if (known !== undefined) {
    // A request before this one has made the account, but its answer was lost.
    const outcome = await logInAs(deps, { accountId: known, provider, subject, client });
    if ('mfaRequired' in outcome) throw expired();
    return outcome;
  }
  const nowMs = deps.clockMs();
  const details = checkPerson(body, nowMs);
  const email = await unusedEmail(deps, person);
  const { origin } = client;
  const accountId = await deps.database.transaction(origin, async (tx) => {
    if (!(await lockUsername(tx, body.username, nowMs))) throw new HttpError('username-taken');
    const account = { ...details, email, language, passwordHash: NO_PASSWORD };
    const id = await insertAccount(tx, account, nowMs);
    if (id === undefined) throw new HttpError('provider-account-exists');
    await insertIdentity(tx, { accountId: id, provider, subject, label: email, nowMs });
    await markVerified(tx, { accountId: id, email, nowMs });
    if (deps.defaultPlan !== 'free') {
      await setPlan(tx, { accountId: id, plan: deps.defaultPlan, nowMs });
    }
    const data = { provider: deps.providers.nameOf(provider) };
    await deps.audit.record(tx, { kind: 'account.registered', accountId: id, origin, data });
    return id;
  });
  const started = await deps.logins.complete<never>({
    accountId,
    client,
    nowMs,
    passedSecondFactor: false,
    prove: async () => 'proved',
  });
  if (started === 'refused') throw expired();
  return started;
}

/** The email address that a new account gets. @throws HttpError 403 for one that is not proved, 409 for a known one */
async function unusedEmail(
  { database }: ProviderLoginDeps,
  { email, isEmailVerified }: ProvidedPerson,
): Promise<string> {
  if (email === null || !isEmailVerified) throw new HttpError('provider-email-unverified');
  if ((await findByEmail(database, email)) !== undefined) {
    throw new HttpError('provider-account-exists');
  }
  return email;
}

/** Whoever began it has proved who they are, and must still be logged in. */
async function linkTo(
  { database, recordChange, providers, clockMs }: ProviderLoginDeps,
  {
    provider,
    person,
    requester,
  }: {
    provider: string;
    person: ProvidedPerson;
    requester: Requester;
  },
): Promise<void> {
  const { accountId } = requester;
  await database.transaction(requester.origin, async (tx) => {
    const owner = await lockBySession(tx, requester);
    if (owner === undefined) throw expired();
    const label = (person.email ?? person.name) || person.subject;
    const { subject } = person;
    const nowMs = clockMs();
    await insertIdentity(tx, { accountId, provider, subject, label, nowMs });
    const name = providers.nameOf(provider);
    await recordChange(tx, { isLinked: true, requester, owner, provider: name, nowMs });
  });
}

function expired(): HttpError {
  return new HttpError('provider-login-expired');
}
