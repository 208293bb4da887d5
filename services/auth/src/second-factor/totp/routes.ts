import { Message } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { ConfirmedTotp, ConfirmTotpBody, OwnerProof, TotpSetup } from '@atrium/contracts/auth/mfa';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import { renderSVG } from 'uqr';
import { requesterOf } from '../../accounts/requester.ts';
import { confirmSetup, removeTotp, startSetup, type TotpDeps } from './setup.ts';
import { PROOF_CODES } from '../changes.ts';

export interface TotpRoutesDeps extends TotpDeps {
  authenticator: Authenticator;
}

const tags = ['Second factor'];
const security = [{ bearer: [] }];

export function totpRoutes(server: Server, deps: TotpRoutesDeps): void {
  const { authenticate: onRequest } = deps.authenticator;

  server.post(
    '/user/second-factor/totp',
    {
      onRequest,
      schema: {
        operationId: 'startTotpSetup',
        summary: 'Begin to set up an authenticator app',
        tags,
        security,
        body: OwnerProof,
        response: {
          201: TotpSetup,
          ...errorResponses(401, 422, ...PROOF_CODES, 'email-not-verified', 'authenticator-exists'),
        },
      },
    },
    async (request, reply) => {
      const { secret, uri } = await startSetup(deps, requesterOf(request), request.body);
      reply.code(201).header('cache-control', 'no-store');
      const svg = Buffer.from(renderSVG(uri, { pixelSize: 4, border: 2 })).toString('base64');
      return { secret, uri, qrCode: `data:image/svg+xml;base64,${svg}` };
    },
  );

  server.post(
    '/user/second-factor/totp/confirm',
    {
      onRequest,
      schema: {
        operationId: 'confirmTotpSetup',
        summary: 'Turn the authenticator app on with its first code',
        tags,
        security,
        body: ConfirmTotpBody,
        response: { 200: ConfirmedTotp, ...errorResponses(401, 404, 422, 'code-wrong') },
      },
    },
    async (request, reply) => {
      const recoveryCodes = await confirmSetup(deps, requesterOf(request), request.body.code);
      reply.header('cache-control', 'no-store');
      return { recoveryCodes };
    },
  );

  server.post(
    '/user/second-factor/totp/remove',
    {
      onRequest,
      schema: {
        operationId: 'removeTotp',
        summary: 'Remove the authenticator app',
        tags,
        security,
        body: OwnerProof,
        response: { 200: Message, ...errorResponses(401, 404, 422, ...PROOF_CODES) },
      },
    },
    async (request) => {
      await removeTotp(deps, requesterOf(request), request.body);
      return { message: 'Authenticator app removed' };
    },
  );
}
