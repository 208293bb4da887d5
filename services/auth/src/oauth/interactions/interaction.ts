import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GrantedScope } from '@atrium/contracts/auth/authorization';
import { IDENTITY_SCOPES } from '@atrium/contracts/auth/scope-names';
import { HttpError } from '@atrium/service-kit/http-error';
import { errors, type InteractionResults } from 'oidc-provider';
import type { Database } from '../../database.ts';
import { findConsent } from '../grants/store.ts';
import { ourClient } from '../provider/client-store.ts';
import { acrOf, splitScope } from '../provider/constants.ts';
import { findPerson, type Person } from '../provider/person.ts';
import { needsSecondFactor } from '../provider/policy.ts';
import type { OauthProvider } from '../provider/provider.ts';

const KNOWN = new Set<string>(IDENTITY_SCOPES);

/** A request that waits for a person, as this browser has begun it. */
export interface Waiting {
  uid: string;
  applicationId: string;
  isFirstParty: boolean;
  isNative: boolean;
  prompt: string;
  params: Record<string, unknown>;
  scopes: GrantedScope[];
  /** When it was begun, and until when it waits. */
  iatMs: number;
  expMs: number;
  finish: (result: InteractionResults) => Promise<string>;
}

interface Deps {
  database: Database;
  provider: OauthProvider;
  clockMs: () => number;
}

/** One of our requests about an interaction; what reads the cookie takes it as Node has it. */
interface UidRequest {
  raw: IncomingMessage;
  params: { uid: string };
}

/**
 * Finds the request that this browser has begun. Its cookie must name it: otherwise somebody could begin one and have
 * another person allow it, and so be logged in as them.
 *
 * @throws HttpError 404
 */
export async function findWaiting(
  deps: Deps,
  request: UidRequest,
  { raw }: { raw: ServerResponse },
): Promise<Waiting> {
  const provider = deps.provider.current();
  try {
    const interaction = await provider.interactionDetails(request.raw, raw);
    const { uid, params, prompt, iat, exp } = interaction;
    const client = await provider.Client.find(String(params['client_id']));
    // A change of the application's scopes deletes its requests: one that is still there has the scopes that were shown.
    const isStillThere = (await provider.Interaction.find(uid)) !== undefined;
    if (uid !== request.params.uid || client === undefined || !isStillThere) {
      throw new HttpError('authorization-expired');
    }
    const { clientId: applicationId, apiScopes, isFirstParty } = ourClient(client);
    const possible = new Set([...KNOWN, ...apiScopes]);
    const isPossible = (scope: string): scope is GrantedScope => possible.has(scope);
    return {
      uid,
      applicationId,
      isFirstParty,
      isNative: client.applicationType === 'native',
      prompt: prompt.name,
      params,
      scopes: splitScope(params['scope']).filter(isPossible),
      iatMs: iat * 1000,
      expMs: exp * 1000,
      finish: (result) =>
        provider.interactionResult(request.raw, raw, result, { mergeWithLastSubmission: true }),
    };
  } catch (error) {
    if (error instanceof errors.SessionNotFound) throw new HttpError('authorization-expired');
    throw error;
  }
}

/** What the person has to be asked for. */
export async function newScopes(
  database: Database,
  { scopes, applicationId, params, prompt, isFirstParty, isNative }: Waiting,
  person: Person | undefined,
): Promise<GrantedScope[]> {
  // Any program can say that it is one on this machine (RFC 8252 section 8.6).
  const mustAsk =
    isNative || prompt === 'consent' || splitScope(params['prompt']).includes('consent');
  const allowed = isFirstParty ? scopes : await allowedScopes(database, applicationId, person);
  const missing = scopes.filter((scope) => !allowed.includes(scope));
  return mustAsk && missing.length === 0 ? scopes : missing;
}

async function allowedScopes(
  database: Database,
  applicationId: string,
  person: Person | undefined,
): Promise<GrantedScope[]> {
  if (person === undefined) return [];
  return (await findConsent(database, { accountId: person.accountId, applicationId })) ?? [];
}

/** The person who is logged in to this browser. */
export function personOf(
  { database, clockMs }: Pick<Deps, 'database' | 'clockMs'>,
  refreshToken: string | undefined,
): Promise<Person | undefined> {
  return findPerson(database, refreshToken, clockMs());
}

/** Whether a login is as recent and as strong as the application asks; else why not. */
export function checkLogin(
  { params, iatMs }: Pick<Waiting, 'params' | 'iatMs'>,
  person: Person,
  nowMs: number,
): 'login-again' | 'login-stronger' | undefined {
  const loggedInAtMs = person.loggedInAt.getTime();
  const { max_age: maxAge } = params;
  const isAsked = splitScope(params['prompt']).includes('login');
  // The interaction knows whole seconds.
  if (isAsked && loggedInAtMs < iatMs) return 'login-again';
  if (maxAge !== undefined && loggedInAtMs < Math.min(iatMs, nowMs - Number(maxAge) * 1000)) {
    return 'login-again';
  }
  return needsSecondFactor(params) && !person.passedSecondFactor ? 'login-stronger' : undefined;
}

/** The login of a person as the provider takes it. */
export const loginOf = ({ accountId, loggedInAt, passedSecondFactor }: Person) => ({
  accountId,
  ts: Math.floor(loggedInAt.getTime() / 1000),
  acr: acrOf(passedSecondFactor),
});
