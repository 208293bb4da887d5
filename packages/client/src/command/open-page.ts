import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a page in the browser of the user, if there is one: its URL is printed anyway.
 *
 * @param browser the program to use; that of the system by default, none when it is empty
 */
export function openPage(url: string, browser: string | undefined): void {
  const opener = browser === undefined ? OPENERS[process.platform] : [browser];
  const [program = '', ...args] = opener ?? [];
  // The URL comes from a service: it is never a file or an option.
  if (program === '' || !/^https?:\/\//.test(url)) return;
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
