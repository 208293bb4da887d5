import { errorResponses } from '@atrium/contracts/errors';
import { OwnerProof, RecoveryCodes } from '@atrium/contracts/auth/mfa';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import { type FactorChanges, PROOF_CODES } from '../changes.ts';
import { isSecondFactorOn } from '../factor.ts';
import { findFactors } from '../store.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';

interface RecoveryCodeRoutesDeps {
  authenticator: Authenticator;
  factorChanges: FactorChanges;
}

export function recoveryCodeRoutes(server: Server, deps: RecoveryCodeRoutesDeps): void {
  server.post(
    '/user/second-factor/recovery-codes',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'renewRecoveryCodes',
        summary: 'Replace the recovery codes with ten new ones',
        tags: ['Second factor'],
        security: [{ bearer: [] }],
        body: OwnerProof,
        response: { 200: RecoveryCodes, ...errorResponses(401, 404, 422, ...PROOF_CODES) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const recoveryCodes = await deps.factorChanges.reauthenticate(
        requester,
        request.body,
        async (tx, owner, nowMs) => {
          if (!isSecondFactorOn(await findFactors(tx, owner.id))) {
            throw notFound('Second factor');
          }
          const codes = await renewRecoveryCodes(tx, owner.id, nowMs);
          const kind = 'recovery_codes.renewed';
          await deps.factorChanges.record(tx, { kind, requester, owner, nowMs });
          return codes;
        },
      );
      reply.header('cache-control', 'no-store');
      return { recoveryCodes };
    },
  );
}
