import { LoginResponse } from '@atrium/contracts/auth/accounts';
import {
  CompleteDeviceLoginBody,
  DEVICE_LOGIN_TTL_SECONDS,
  DEVICE_POLL_SECONDS,
  DeviceLogin,
  DeviceLoginCodes,
  StartDeviceLoginBody,
  UserCodeParams,
} from '@atrium/contracts/auth/device-login';
import { errorResponses } from '@atrium/contracts/errors';
import { OwnerProof } from '@atrium/contracts/auth/mfa';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { Database, Tx } from '../database.ts';
import type { AuditLog } from '../audit/record.ts';
import { type Requester, requesterOf } from '../accounts/requester.ts';
import type { Logins } from '../login/logins.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { PROOF_CODES, type Reauthenticate } from '../second-factor/changes.ts';
import { formatUserCode, newDeviceCode, newUserCode } from './codes.ts';
import {
  consumeDeviceLogin,
  decideDeviceLogin,
  findDeviceLogin,
  insertDeviceLogin,
  pollDeviceLogin,
} from './store.ts';

interface DeviceLoginRoutesDeps {
  database: Database;
  audit: AuditLog;
  logins: Logins;
  authenticator: Authenticator;
  reauthenticate: Reauthenticate;
  /** Users confirm a login at `{webUrl}/device`. */
  webUrl: string;
  clockMs: () => number;
}

interface Decision {
  code: string;
  requester: Requester;
  kind: 'device_login.confirmed' | 'device_login.denied';
  nowMs: number;
}

const tags = ['Device login'];
const security = [{ bearer: [] }];

const errors = {
  pending: () => new HttpError('login-pending'),
  tooSoon: () =>
    new HttpError(
      'polled-too-fast',
      `Wait ${DEVICE_POLL_SECONDS} seconds longer between two requests`,
    ),
  denied: () => new HttpError('login-denied'),
  unknown: () => new HttpError('device-code-expired'),
};

/** Logging in a device that has no browser, by confirming it in one: RFC 8628. */
export function deviceLoginRoutes(server: Server, deps: DeviceLoginRoutesDeps): void {
  const { database, clockMs } = deps;
  const { authenticate: onRequest } = deps.authenticator;
  const address = `${deps.webUrl.replace(/\/$/, '')}/device`;

  server.post(
    '/auth/device',
    {
      config: { rateLimit: RATE_LIMITS.deviceLoginByAddress },
      schema: {
        operationId: 'startDeviceLogin',
        summary: 'Begin to log in a device that has no browser',
        description: 'RFC 8628 section 3.1, with JSON bodies.',
        tags,
        body: StartDeviceLoginBody,
        response: { 200: DeviceLoginCodes, ...errorResponses(422) },
      },
    },
    async (request, reply) => {
      const deviceCode = newDeviceCode();
      const userCode = newUserCode();
      await insertDeviceLogin(database, {
        deviceCode,
        userCode,
        clientName: request.body.client_name,
        ipAddress: request.ip,
        nowMs: clockMs(),
      });
      reply.header('cache-control', 'no-store');
      const shown = formatUserCode(userCode);
      return {
        device_code: deviceCode,
        user_code: shown,
        verification_uri: address,
        verification_uri_complete: `${address}?code=${shown}`,
        expires_in: DEVICE_LOGIN_TTL_SECONDS,
        interval: DEVICE_POLL_SECONDS,
      };
    },
  );

  server.post(
    '/auth/device/token',
    {
      config: { rateLimit: RATE_LIMITS.devicePollByAddress },
      schema: {
        operationId: 'completeDeviceLogin',
        summary: 'Log the device in once its login has been confirmed',
        description:
          'Poll it. With 400 the field `error` is one of RFC 8628 section 3.5: ' +
          'authorization_pending, slow_down, access_denied or expired_token. The session is ' +
          'refreshed with the refresh cookie, like any other.',
        tags,
        body: CompleteDeviceLoginBody,
        response: {
          200: LoginResponse,
          ...errorResponses(
            422,
            'account-suspended',
            'login-pending',
            'polled-too-fast',
            'login-denied',
            'device-code-expired',
          ),
        },
      },
    },
    async (request, reply) => {
      const { device_code: deviceCode } = request.body;
      const nowMs = clockMs();
      const { device, ...client } = deps.logins.clientOf(request);
      const poll = await pollDeviceLogin(database, client.origin, { deviceCode, nowMs });
      if (poll.kind !== 'confirmed') throw errors[poll.kind]();
      const { accountId, clientName } = poll;
      const started = await deps.logins.complete<never>({
        accountId,
        // The client chose the name that its user confirmed: quoted, it cannot pass for a browser.
        client: { ...client, device: { ...device, browser: `"${clientName}"` } },
        nowMs,
        // It was asked for in a browser, not of the device.
        passedSecondFactor: false,
        prove: async (tx): Promise<'proved' | 'refused'> =>
          (await consumeDeviceLogin(tx, deviceCode)) ? 'proved' : 'refused',
      });
      if (started === 'refused') throw errors.unknown();
      return deps.logins.respond(reply, started);
    },
  );

  server.get(
    '/auth/device/:code',
    {
      onRequest,
      config: { rateLimit: RATE_LIMITS.userCodeByAccount },
      schema: {
        operationId: 'getDeviceLogin',
        summary: 'Show what asks to be logged in',
        tags,
        security,
        params: UserCodeParams,
        response: { 200: DeviceLogin, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const login = await findDeviceLogin(database, request.params.code, clockMs());
      if (login === undefined) throw notFound('Login');
      reply.header('cache-control', 'no-store');
      return login;
    },
  );

  const answer = { 204: Type.Null(), ...errorResponses(401, 404) };
  const config = { rateLimit: RATE_LIMITS.userCodeByAccount };
  server.post(
    '/auth/device/:code/confirm',
    {
      onRequest,
      config,
      schema: {
        operationId: 'confirmDeviceLogin',
        summary: 'Log the device in to this account',
        description:
          'Needs the password, and the second factor if one is on: an access token alone must not ' +
          'become a session.',
        tags,
        security,
        params: UserCodeParams,
        body: OwnerProof,
        response: { ...answer, ...errorResponses(401, 404, 422, ...PROOF_CODES) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { code } = request.params;
      await deps.reauthenticate(requester, request.body, (tx, _owner, nowMs) =>
        decide(tx, { code, requester, kind: 'device_login.confirmed', nowMs }),
      );
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/auth/device/:code/deny',
    {
      onRequest,
      config,
      schema: {
        operationId: 'denyDeviceLogin',
        summary: 'Refuse to log the device in',
        tags,
        security,
        params: UserCodeParams,
        response: answer,
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { code } = request.params;
      const nowMs = clockMs();
      await database.transaction(requester.origin, (tx) =>
        decide(tx, { code, requester, kind: 'device_login.denied', nowMs }),
      );
      return reply.code(204).send(null);
    },
  );

  async function decide(tx: Tx, decision: Decision): Promise<void> {
    const { code, requester, kind, nowMs } = decision;
    const confirmedBy = kind === 'device_login.confirmed' ? requester.sessionId : null;
    const client = await decideDeviceLogin(tx, { code, confirmedBy, nowMs });
    if (client === undefined) throw notFound('Login');
    await deps.audit.record(tx, { kind, ...requester, data: { client } });
  }
}
