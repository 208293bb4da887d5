import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AtriumError, isTransient } from '../http/error.ts';
import type { DeviceLoginCodes, LoginResponse } from '../types.ts';
import type { CredentialsFile } from './credentials.ts';
import type { Output } from './output.ts';
import { postForCookies } from './session.ts';

export interface LoginOptions {
  authUrl: string;
  webhooksUrl: string;
  notesUrl: string;
  file: CredentialsFile;
  output: Output;
  /** Shows a page to the user, if it can. */
  openPage: (address: string) => void;
  signal: AbortSignal;
}

/** Device authorization (RFC 8628): opens a page that shows a code, and waits for its confirmation. */
export async function logIn(options: LoginOptions): Promise<void> {
  const { file, output, openPage, signal, ...urls } = options;
  await file.checkWritable();
  const name = `atrium on ${hostname().replaceAll(/\P{ASCII}/gu, '')}`.slice(0, 60);
  const device = `${urls.authUrl}/auth/device`;
  const { body: codes } = await postForCookies<DeviceLoginCodes>(device, { client_name: name }, {});
  const { verification_uri_complete: address, user_code: code } = codes;
  output.line(`Open ${address}\nand confirm the code ${code}.`, {
    event: 'confirm',
    address,
    code,
  });
  openPage(address);
  const { body, cookies } = await poll(`${device}/token`, codes, signal);
  const { accessToken, user } = body;
  const { email } = user;
  await file.update(async (stored) => {
    // Of another account or installation they mean nothing.
    const isSame = stored?.email === email && stored.authUrl === urls.authUrl;
    return { ...urls, email, accessToken, cookies, listeners: isSame ? stored.listeners : {} };
  });
  output.line(`Logged in as ${email}.`, { event: 'loggedIn', email });
}

async function poll(url: string, codes: DeviceLoginCodes, signal: AbortSignal) {
  let intervalMs = codes.interval * 1000;
  const endMs = performance.now() + codes.expires_in * 1000;
  for (;;) {
    await sleep(intervalMs, undefined, { signal });
    try {
      return await postForCookies<LoginResponse>(url, { device_code: codes.device_code }, {});
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      const { error: name } = error;
      if (name === 'slow_down') intervalMs += codes.interval * 1000;
      const isPending = name === 'authorization_pending' || name === 'slow_down';
      if (!isPending && !(isTransient(error) && performance.now() < endMs)) throw error;
    }
  }
}
