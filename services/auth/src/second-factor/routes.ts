import { errorResponses } from '@atrium/contracts/errors';
import { SecondFactor } from '@atrium/contracts/auth/mfa';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { isSecondFactorOn } from './factor.ts';
import { findFactors } from './store.ts';

export function secondFactorRoutes(
  server: Server,
  { database, authenticator }: { database: Database; authenticator: Authenticator },
): void {
  server.get(
    '/user/second-factor',
    {
      onRequest: authenticator.authenticate,
      schema: {
        operationId: 'getSecondFactors',
        summary: 'Get the second factors that are on',
        tags: ['Second factor'],
        security: [{ bearer: [] }],
        response: { 200: SecondFactor, ...errorResponses(401) },
      },
    },
    async (request) => {
      const factors = await findFactors(database, accountOf(request).id);
      const { totp, passkeys, recoveryCodes: recoveryCodesLeft } = factors;
      return { enabled: isSecondFactorOn(factors), totp, passkeys, recoveryCodesLeft };
    },
  );
}
