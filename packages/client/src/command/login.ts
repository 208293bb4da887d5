import { setTimeout as sleep } from 'node:timers/promises';
import { AtriumError, isTransient } from '../http/error.ts';
import type { CurrentUser } from '../types.ts';
import { createApiCalls } from './api.ts';
import type { CredentialsFile } from './credentials.ts';
import { CommandError } from './exit-codes.ts';
import { type DeviceCodes, fetchTokens, requestDeviceCodes, type Tokens } from './oauth.ts';
import type { Output } from './output.ts';

export interface LoginOptions {
  authUrl: string;
  webhooksUrl: string;
  notesUrl: string;
  file: CredentialsFile;
  output: Output;
  /** Shows a page to the user, if it can. */
  openPage: (url: string) => void;
  signal: AbortSignal;
}

/** Device authorization (RFC 8628): opens a page that shows a code, and waits for its confirmation. */
export async function logIn(options: LoginOptions): Promise<void> {
  const { file, output, openPage, signal, ...urls } = options;
  await file.checkWritable();
  const { authUrl } = urls;
  const codes = await requestDeviceCodes(authUrl);
  const { verification_uri_complete: url, user_code: code } = codes;
  output.line(`Open ${url}\nand confirm the code ${code}.`, {
    event: 'confirm',
    address: url,
    code,
  });
  openPage(url);
  const { access_token: accessToken, refresh_token: refreshToken } = await poll(
    authUrl,
    codes,
    signal,
  );
  const call = createApiCalls({ accessToken: async () => accessToken });
  const { email } = await call<CurrentUser>('GET', `${authUrl}/user/me`);
  await file.update(async (stored) => {
    // Listeners of another account or installation mean nothing here.
    const isSame = stored?.email === email && stored.authUrl === authUrl;
    const listeners = isSame ? stored.listeners : {};
    return { ...urls, email, accessToken, refreshToken, listeners };
  });
  output.line(`Logged in as ${email}.`, { event: 'loggedIn', email });
}

/** RFC 8628 section 3.5. */
async function poll(authUrl: string, codes: DeviceCodes, signal: AbortSignal): Promise<Tokens> {
  let intervalMs = codes.interval * 1000;
  const endMs = performance.now() + codes.expires_in * 1000;
  for (;;) {
    await sleep(intervalMs, undefined, { signal });
    try {
      return await fetchTokens(authUrl, codes);
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      const name: string = error.error;
      if (name === 'access_denied') throw new CommandError('failed', 'Login was denied');
      if (name === 'slow_down') intervalMs += codes.interval * 1000;
      const isPending = name === 'authorization_pending' || name === 'slow_down';
      if (isPending || (isTransient(error) && performance.now() < endMs)) continue;
      if (error.status !== 400) throw error;
      throw new CommandError('failed', 'Login has expired: run `atrium login` again');
    }
  }
}
