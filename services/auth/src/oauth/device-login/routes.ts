import { DeviceLogin, UserCodeParams } from '@atrium/contracts/auth/device-login';
import { OwnerProof } from '@atrium/contracts/auth/mfa';
import { errorResponses } from '@atrium/contracts/errors';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { requesterOf } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database, Queries } from '../../database.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { PROOF_CODES, type Reauthenticate } from '../../second-factor/changes.ts';
import { findApplicationProfile } from '../interactions/store.ts';
import { allowDevice, DENIED } from './decision.ts';
import { decideDevice, findWaitingDevice } from './store.ts';

interface DeviceLoginRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  reauthenticate: Reauthenticate;
  audit: AuditLog;
  authUrl: string;
  clockMs: () => number;
}

const tags = ['Logging in to applications'];

/**
 * How the page `/device` shows what asks to be logged in by its code, and answers it. The device asks the provider
 * (RFC 8628), and finds there what is decided here.
 */
export async function deviceLoginRoutes(
  server: Server,
  { database, authenticator, reauthenticate, audit, authUrl, clockMs }: DeviceLoginRoutesDeps,
): Promise<void> {
  requireAccessToken(server, authenticator);
  const config = { rateLimit: RATE_LIMITS.userCodeByAccount };
  const answer = { 204: Type.Null(), ...errorResponses(401, 404) };

  server.get(
    '/auth/device/:code',
    {
      config,
      schema: {
        operationId: 'getDeviceLogin',
        summary: 'Show what asks to be logged in',
        tags,
        params: UserCodeParams,
        response: { 200: DeviceLogin, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const found = await find(database, request.params.code);
      const { applicationId: _id, createdAt, expiresAt, ...device } = found;
      reply.header('cache-control', 'no-store');
      return {
        ...device,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      };
    },
  );

  server.post(
    '/auth/device/:code/confirm',
    {
      config,
      schema: {
        operationId: 'confirmDeviceLogin',
        summary: 'Log the device in to this account',
        description:
          'Needs the password, and the second factor if one is on: an access token alone must not ' +
          'become a login that outlives it.',
        tags,
        params: UserCodeParams,
        body: OwnerProof,
        response: { ...answer, ...errorResponses(401, 404, 422, ...PROOF_CODES) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { code } = request.params;
      await reauthenticate(requester, request.body, async (tx, _owner, nowMs) => {
        const { application, ...device } = await find(tx, code);
        const decision = await allowDevice(tx, { device, by: requester, nowMs });
        if (!(await decideDevice(tx, code, decision, nowMs))) throw notFound('Login');
        const client = nameOf(application, device.deviceName);
        const data = { client, scopes: device.scopes.join(' ') };
        await audit.record(tx, { kind: 'device_login.confirmed', ...requester, data });
      });
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/auth/device/:code/deny',
    {
      config,
      schema: {
        operationId: 'denyDeviceLogin',
        summary: 'Refuse to log the device in',
        tags,
        params: UserCodeParams,
        response: answer,
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { code } = request.params;
      const nowMs = clockMs();
      await database.transaction(requester.origin, async (tx) => {
        const { application, deviceName } = await find(tx, code);
        if (!(await decideDevice(tx, code, DENIED, nowMs))) throw notFound('Login');
        const data = { client: nameOf(application, deviceName) };
        await audit.record(tx, { kind: 'device_login.denied', ...requester, data });
      });
      return reply.code(204).send(null);
    },
  );

  /** @throws HttpError 404 */
  async function find(queries: Queries, code: string) {
    const device = await findWaitingDevice(queries, code, clockMs());
    const application =
      device && (await findApplicationProfile(queries, device.applicationId, authUrl));
    if (device === undefined || application === undefined) throw notFound('Login');
    return { ...device, application };
  }
}

const nameOf = ({ name }: { name: string }, deviceName: string | null) =>
  deviceName === null ? name : `${name}: ${deviceName}`;
