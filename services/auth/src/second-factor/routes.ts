import { errorResponses } from '@atrium/contracts/errors';
import { MfaOptions, OwnerProof, RecoveryCodes, SecondFactor } from '@atrium/contracts/mfa';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { RATE_LIMITS } from '../rate-limits.ts';
import { type ChangeDeps, renewRecoveryCodes, reportChange } from './changes.ts';
import { isSecondFactorOn } from './factor.ts';
import { secondStepOptions } from './challenges/options.ts';
import { claimOf } from '../accounts/requester.ts';
import { asOwner, type OwnerDeps } from './challenges/re-authentication.ts';
import { findFactors } from './store.ts';

interface SecondFactorRoutesDeps extends OwnerDeps, ChangeDeps {
  authenticator: Authenticator;
  wakeEmailSender: () => void;
}

const tags = ['second factor'];
const security = [{ bearer: [] }];

/** The second factor of somebody who is logged in. */
export function secondFactorRoutes(server: Server, deps: SecondFactorRoutesDeps): void {
  const { database, rateLimiter, clockMs } = deps;
  const { authenticate: onRequest } = deps.authenticator;

  server.get(
    '/user/second-factor',
    {
      onRequest,
      schema: {
        summary: 'Which second factors are on',
        tags,
        security,
        response: { 200: SecondFactor, ...errorResponses(401) },
      },
    },
    async (request) => {
      const factors = await findFactors(database, accountOf(request).id);
      const { totp, passkeys, recoveryCodes: recoveryCodesLeft } = factors;
      return { enabled: isSecondFactorOn(factors), totp, passkeys, recoveryCodesLeft };
    },
  );

  server.post(
    '/user/second-factor/options',
    {
      onRequest,
      schema: {
        summary: 'What a change of factors can be proved with',
        tags,
        security,
        response: { 200: MfaOptions, ...errorResponses(401) },
      },
    },
    async (request, reply) => {
      await rateLimiter.consume(RATE_LIMITS.mfaOptionsByAddress, request.ip);
      reply.header('cache-control', 'no-store');
      return secondStepOptions(deps, accountOf(request).id, clockMs());
    },
  );

  server.post(
    '/user/second-factor/recovery-codes',
    {
      onRequest,
      schema: {
        summary: 'Ten new recovery codes in place of the old ones',
        tags,
        security,
        body: OwnerProof,
        response: { 200: RecoveryCodes, ...errorResponses(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const claim = claimOf(request);
      const recoveryCodes = await asOwner(deps, claim, request.body, async (tx, owner, nowMs) => {
        if (!isSecondFactorOn(await findFactors(tx, owner.id))) {
          throw notFound('Second factor');
        }
        const codes = await renewRecoveryCodes(tx, owner.id, nowMs);
        const kind = 'recovery_codes.renewed';
        await reportChange(deps, tx, { kind, claim, owner, nowMs });
        return codes;
      });
      deps.wakeEmailSender();
      reply.header('cache-control', 'no-store');
      return { recoveryCodes };
    },
  );
}
