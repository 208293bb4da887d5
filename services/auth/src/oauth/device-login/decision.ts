import type { Tx } from '../../database.ts';
import { recordConsent } from '../grants/store.ts';
import { acrOf, API_RESOURCE, isApiScope } from '../provider/constants.ts';
import { deviceGrant } from '../provider/grant-store.ts';
import { type Decision, hasPassedSecondFactor, type WaitingDevice } from './store.ts';

/** What the provider tells a device that was refused (RFC 8628 section 3.5). */
export const DENIED: Decision = {
  sessionId: null,
  accountId: null,
  grantId: null,
  payload: { error: 'access_denied', errorDescription: 'The person said no' },
};

/** Grants a device what it asks for. @returns what the provider then finds for it */
export async function allowDevice(
  tx: Tx,
  {
    device: { applicationId, deviceName, network, scopes },
    by: { accountId, sessionId },
    nowMs,
  }: {
    device: WaitingDevice;
    by: { accountId: string; sessionId: string };
    nowMs: number;
  },
): Promise<Decision> {
  const allowed = { accountId, applicationId, scopes, nowMs };
  await recordConsent(tx, allowed);
  const grantId = await deviceGrant(tx, { ...allowed, deviceName: deviceName ?? network });
  const payload = {
    accountId,
    scope: scopes.join(' '),
    ...(scopes.some(isApiScope) ? { resource: API_RESOURCE } : {}),
    acr: acrOf(await hasPassedSecondFactor(tx, sessionId)),
    authTime: Math.floor(nowMs / 1000),
  };
  return { sessionId, accountId, grantId, payload };
}
