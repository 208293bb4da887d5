import { type Browser, chromium } from 'playwright-core';
import { type ChromiumFiles, unpackChromium } from './chromium-files.ts';

/**
 * Playwright's own arguments already disable updates, synchronization and reports. No name outside this
 * machine resolves, so that nothing else leaves it.
 */
const ARGUMENTS = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'];

/**
 * Starts a headless Chromium without a sandbox: the one at CHROMIUM_PATH, or the one that comes with the
 * dependencies. Dispose it, or close it, when the test ends.
 */
export async function launchBrowser(): Promise<Browser> {
  // The environment of the test process is also the browser's.
  // oxlint-disable-next-line no-restricted-properties
  const { env } = process;
  const given = env['CHROMIUM_PATH'] ?? '';
  const files: ChromiumFiles =
    given === '' ? await unpackChromium() : { executable: given, env: {} };
  return chromium.launch({
    executablePath: files.executable,
    args: ARGUMENTS,
    env: { ...env, ...files.env },
    chromiumSandbox: false,
  });
}
