import { Application } from '@atrium/contracts/auth/applications';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { HttpError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import { encodeAvatar } from '../../accounts/avatar/encode.ts';
import { replaceImage } from '../../accounts/avatar/store.ts';
import { IMAGE_UPLOAD, parseImagesOnly, uploadOf } from '../../accounts/avatar/uploads.ts';
import { type Requester, requesterOf } from '../../accounts/requester.ts';
import { lockBySession } from '../../accounts/store.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database, Tx } from '../../database.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { representApplication } from './represent.ts';
import { getApplication } from './store.ts';

interface LogoRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  audit: AuditLog;
  authUrl: string;
}

const tags = ['Applications'];

/** The picture that people see when an application asks them. It is served as avatars are. */
export async function applicationLogoRoutes(server: Server, deps: LogoRoutesDeps): Promise<void> {
  const { database, audit } = deps;
  requireAccessToken(server, deps.authenticator);
  parseImagesOnly(server);

  server.put(
    '/applications/:id/logo',
    {
      config: IMAGE_UPLOAD.config,
      bodyLimit: IMAGE_UPLOAD.bodyLimit,
      schema: {
        operationId: 'uploadApplicationLogo',
        summary: 'Upload the logo of an application',
        description: IMAGE_UPLOAD.description,
        tags,
        params: IdParams,
        body: IMAGE_UPLOAD.body,
        response: {
          200: Application,
          ...errorResponses(401, 404, 413, 415, 422, 'image-unusable'),
        },
      },
    },
    async (request) => {
      const requester = requesterOf(request);
      const { id } = request.params;
      const upload = uploadOf(request);
      // No image is decoded for an account that may not change it.
      await getApplication(database, { id, accountId: requester.accountId });
      const image = await encodeAvatar(upload);
      return change(requester, id, async (tx) => {
        await replaceImage(tx, { applicationId: id }, image);
        return 'changed';
      });
    },
  );

  server.delete(
    '/applications/:id/logo',
    {
      config: { rateLimit: RATE_LIMITS.settingsByAccount },
      schema: {
        operationId: 'removeApplicationLogo',
        summary: 'Remove the logo of an application',
        tags,
        params: IdParams,
        response: { 200: Application, ...errorResponses(401, 404) },
      },
    },
    (request) => {
      const { id: applicationId } = request.params;
      return change(requesterOf(request), applicationId, async (tx) => {
        const { count } = await tx.prisma.avatar.deleteMany({ where: { applicationId } });
        return count === 0 ? 'same' : 'changed';
      });
    },
  );

  async function change(
    requester: Requester,
    id: string,
    write: (tx: Tx) => Promise<'changed' | 'same'>,
  ) {
    const of = { id, accountId: requester.accountId };
    const application = await database.transaction(requester.origin, async (tx) => {
      if ((await lockBySession(tx, requester)) === undefined) throw new HttpError('token-invalid');
      const { name } = await getApplication(tx, of);
      if ((await write(tx)) === 'changed') {
        const data = { name, changed: 'logo' };
        await audit.record(tx, { kind: 'application.changed', ...requester, data });
      }
      return getApplication(tx, of);
    });
    return representApplication(deps, application);
  }
}
