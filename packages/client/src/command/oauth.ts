import { hostname } from 'node:os';
import { startDeadline } from '../http/deadline.ts';
import { send } from '../http/send.ts';

/** What this command is registered as in every installation. */
const CLIENT_ID = 'app_00000000000000000000000000';
const SCOPE =
  'openid offline_access account:read notes:read notes:write links:read links:write webhooks:read webhooks:write ' +
  'events:publish';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const TIMEOUT_MS = 10_000;

/** RFC 8628 section 3.2. */
export interface DeviceCodes {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
  /** Seconds. */
  expires_in: number;
  interval: number;
}

/** RFC 6749 section 5.1. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
}

export function requestDeviceCodes(authUrl: string): Promise<DeviceCodes> {
  const name = hostname()
    .replaceAll(/\P{ASCII}/gu, '')
    .slice(0, 60);
  return post(`${authUrl}/oauth/device`, { scope: SCOPE, ...(name && { device_name: name }) });
}

/** @throws AtriumError whose `error` is `authorization_pending` or `slow_down` until the person has answered */
export function fetchTokens(authUrl: string, codes: DeviceCodes): Promise<Tokens> {
  return post(`${authUrl}/oauth/token`, {
    grant_type: DEVICE_GRANT,
    device_code: codes.device_code,
  });
}

/**
 * An answer that is lost has used up the refresh token that was given: sent again, it would be taken for a stolen one,
 * and the login would end. After an error it can still be used.
 */
export function refreshTokens(authUrl: string, refreshToken: string): Promise<Tokens> {
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return post(`${authUrl}/oauth/token`, fields);
}

/** Ends the login: no service takes its tokens any more (RFC 7009). */
export async function revokeTokens(
  authUrl: string,
  refreshToken: string,
  signal: AbortSignal,
): Promise<void> {
  await post(`${authUrl}/oauth/revoke`, { token: refreshToken }, { signal });
}

async function post<Body>(
  url: string,
  fields: Record<string, string>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Body> {
  const form = new URLSearchParams({ client_id: CLIENT_ID, ...fields }).toString();
  const body = new Blob([form], { type: 'application/x-www-form-urlencoded' });
  const headers = { 'user-agent': 'Atrium-Command/1' };
  const request = { method: 'POST', url, headers, body, isIdempotent: false };
  const deadline = startDeadline({ deadlineMs: TIMEOUT_MS, signal });
  return (await send({ fetch, cookies: undefined }, request, deadline)).body as Body;
}
