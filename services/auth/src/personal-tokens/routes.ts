import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import {
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  EXCHANGE_PATH,
  ExchangedToken,
  PERSONAL_TOKENS_MAX,
  PersonalTokens,
} from '@atrium/contracts/auth/personal-tokens';
import { SCOPES } from '@atrium/contracts/auth/scope-names';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { type ExchangePersonalToken, newPersonalToken } from '@atrium/service-kit/personal-tokens';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { requesterOf } from '../accounts/requester.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Database } from '../database.ts';
import { PROOF_CODES, type Reauthenticate, requireVerified } from '../second-factor/changes.ts';
import {
  insertPersonalToken,
  listPersonalTokens,
  type PersonalTokenRow,
  revokePersonalToken,
} from './store.ts';

const DAY_MS = 86_400_000;
/** Every process of a service asks once for each token in its lifetime, and many may share an address. */
const EXCHANGES_PER_ADDRESS = { name: 'token-exchanges', limit: 30_000, windowSeconds: 60 };

interface PersonalTokenRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  reauthenticate: Reauthenticate;
  exchange: ExchangePersonalToken;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  audit: AuditLog;
  clockMs: () => number;
}

const tags = ['Personal access tokens'];
const security = [{ bearer: [] }];

export function personalTokenRoutes(server: Server, deps: PersonalTokenRoutesDeps): void {
  const { database, clockMs, audit } = deps;
  const { authenticate: onRequest } = deps.authenticator;

  server.get(
    '/user/tokens',
    {
      onRequest,
      schema: {
        operationId: 'listPersonalTokens',
        summary: 'List the personal access tokens of the account, newest first',
        tags,
        security,
        response: { 200: PersonalTokens, ...errorResponses(401) },
      },
    },
    async (request) => {
      const rows = await listPersonalTokens(database, accountOf(request).id, clockMs());
      return { data: rows.map(represent) };
    },
  );

  server.post(
    '/user/tokens',
    {
      onRequest,
      schema: {
        operationId: 'createPersonalToken',
        summary: 'Make a personal access token; the response shows it once',
        description:
          `Programs send it as bearer to every service. An account has at most ${PERSONAL_TOKENS_MAX}; they ` +
          'end with all sessions of the account, as a password reset ends them.',
        tags,
        security,
        body: CreatePersonalTokenBody,
        response: {
          201: CreatedPersonalToken,
          ...errorResponses(401, 422, ...PROOF_CODES, 'email-not-verified', 'too-many-tokens'),
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId } = requester;
      const { name, scopes, expiresInDays, ...proof } = request.body;
      const token = newPersonalToken();
      const row = await deps.reauthenticate(requester, proof, async (tx, owner, nowMs) => {
        requireVerified(owner);
        const expiresAtMs = nowMs + expiresInDays * DAY_MS;
        const made = { accountId, token, name: name.trim(), scopes, expiresAtMs, nowMs };
        const inserted = await insertPersonalToken(tx, made);
        if (inserted === undefined) throw new HttpError('too-many-tokens');
        const data = { name: inserted.name, scopes: scopes.join(' ') };
        await audit.record(tx, { kind: 'token.created', ...requester, data });
        return inserted;
      });
      reply.code(201).header('cache-control', 'no-store');
      return { ...represent(row), token };
    },
  );

  server.delete(
    '/user/tokens/:id',
    {
      onRequest,
      schema: {
        operationId: 'revokePersonalToken',
        summary: 'Revoke a personal access token',
        description: 'Every service rejects it within two seconds.',
        tags,
        security,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId } = requester;
      await database.transaction(requester.origin, async (tx) => {
        const { id } = request.params;
        const name = await revokePersonalToken(tx, { id, accountId, nowMs: clockMs() });
        if (name === undefined) throw notFound('Token');
        await audit.record(tx, { kind: 'token.revoked', ...requester, data: { name } });
      });
      await deps.revokedSessions.sync();
      return reply.code(204).send(null);
    },
  );

  server.post(
    EXCHANGE_PATH,
    {
      config: { defaultLimit: EXCHANGES_PER_ADDRESS },
      // For the services, which verify the access token as that of a session.
      schema: {
        hide: true,
        response: { 200: ExchangedToken, ...errorResponses(401) },
      },
    },
    async (request, reply) => {
      const [, token] = /^bearer +(\S{1,200})$/i.exec(request.headers.authorization ?? '') ?? [];
      const accessToken = token === undefined ? undefined : await deps.exchange(token);
      if (accessToken === undefined) throw new HttpError('token-invalid');
      reply.header('cache-control', 'no-store');
      return { accessToken };
    },
  );
}

function represent({ createdAt, expiresAt, lastUsedAt, scopes, ...row }: PersonalTokenRow) {
  return {
    ...row,
    // The table allows no others.
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
