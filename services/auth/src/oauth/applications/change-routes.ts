import {
  Application,
  ChangeApplicationBody,
  GUARDED_SETTINGS,
} from '@atrium/contracts/auth/applications';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { HttpError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import { type Requester, requesterOf } from '../../accounts/requester.ts';
import { type Account, lockBySession } from '../../accounts/store.ts';
import type { Tx } from '../../database.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { PROOF_CODES } from '../../second-factor/changes.ts';
import { changedSettings, isGuarded, type Settings } from './changed-settings.ts';
import { recordApplicationChange } from './record-change.ts';
import { representApplication } from './represent.ts';
import type { ApplicationRoutesDeps } from './routes.ts';
import {
  deleteWaitingRequests,
  getApplication,
  type StoredApplication,
  updateApplication,
} from './store.ts';
import { checkUrls } from './urls.ts';

interface ApplicationChange {
  id: string;
  settings: Settings;
  requester: Requester;
  owner: Account;
  /** Whether the request has passed re-authentication. */
  isProven: boolean;
}

export async function applicationChangeRoutes(
  server: Server,
  deps: ApplicationRoutesDeps,
): Promise<void> {
  const { database } = deps;
  requireAccessToken(server, deps.authenticator);

  server.patch(
    '/applications/:id',
    {
      config: { rateLimit: RATE_LIMITS.settingsByAccount },
      schema: {
        operationId: 'changeApplication',
        summary: 'Change an application',
        description:
          `A change of ${GUARDED_SETTINGS.join(', ')} needs the password, and the second factor if one is on; ` +
          'without the password it is refused with proof-required. The owner is told of it by email.',
        tags: ['Applications'],
        params: IdParams,
        body: ChangeApplicationBody,
        response: {
          200: Application,
          ...errorResponses(
            401,
            404,
            422,
            ...PROOF_CODES,
            'proof-required',
            'redirect-url-missing',
            'url-not-allowed',
          ),
        },
      },
    },
    async (request) => {
      const requester = requesterOf(request);
      const { id } = request.params;
      const {
        password,
        code: _code,
        recoveryCode: _recoveryCode,
        passkey: _passkey,
        ...settings
      } = request.body;
      const application = await (password === undefined
        ? database.transaction(requester.origin, async (tx) => {
            const owner = await lockBySession(tx, requester);
            if (owner === undefined) throw new HttpError('token-invalid');
            return change(tx, { id, settings, requester, owner, isProven: false });
          })
        : deps.reauthenticate(requester, { ...request.body, password }, (tx, owner) =>
            change(tx, { id, settings, requester, owner, isProven: true }),
          ));
      return representApplication(deps, application);
    },
  );

  async function change(
    tx: Tx,
    { id, settings, requester, owner, isProven }: ApplicationChange,
  ): Promise<StoredApplication> {
    const of = { id, accountId: requester.accountId };
    const nowMs = deps.clockMs();
    const application = await getApplication(tx, of);
    checkUrls(application.kind, { ...application, ...settings });
    const changed = changedSettings(application, settings);
    const changes = changed.filter(isGuarded);
    if (changes.length > 0 && !isProven) {
      const names = changes.join(', ');
      throw new HttpError('proof-required', `Send the password of the account to change ${names}`);
    }
    if (changed.length === 0) return application;
    await updateApplication(tx, of, settings, nowMs);
    if (changed.includes('scopes')) await deleteWaitingRequests(tx, id);
    const kind = 'application.changed';
    const data = { changed: changed.join(' ') };
    const event = { kind, requester, owner, application, changes, data, nowMs } as const;
    await recordApplicationChange(deps, tx, event);
    return getApplication(tx, of);
  }
}
