import { errorResponses } from '@atrium/contracts/errors';
import { AccountSettings, Language, UpdateSettingsBody } from '@atrium/contracts/auth/profile';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Value from 'typebox/value';
import type { Database } from '../../database.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';

interface SettingsRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  clockMs: () => number;
}

const tags = ['Accounts'];
const security = [{ bearer: [] }];

export function settingsRoutes(server: Server, deps: SettingsRoutesDeps): void {
  const { database } = deps;
  const { authenticate: onRequest } = deps.authenticator;

  server.get(
    '/user/me/settings',
    {
      onRequest,
      schema: {
        operationId: 'getSettings',
        summary: 'Get the settings of the account',
        tags,
        security,
        response: { 200: AccountSettings, ...errorResponses(401) },
      },
    },
    (request) => readSettings(accountOf(request).id),
  );

  server.patch(
    '/user/me/settings',
    {
      config: { rateLimit: RATE_LIMITS.settingsByAccount },
      onRequest,
      schema: {
        operationId: 'updateSettings',
        summary: 'Change the settings of the account',
        tags,
        security,
        body: UpdateSettingsBody,
        response: { 200: AccountSettings, ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { id } = accountOf(request);
      const { language } = request.body;
      if (language !== undefined) {
        const data = { language, updatedAt: new Date(deps.clockMs()) };
        await database.prisma.account.updateMany({ where: { id }, data });
      }
      return readSettings(id);
    },
  );

  async function readSettings(id: string): Promise<AccountSettings> {
    const account = await database.prisma.account.findUnique({
      where: { id },
      select: { language: true },
    });
    if (account === null) {
      throw new HttpError('token-invalid');
    }
    return { language: Value.Parse(Language, account.language) };
  }
}
