import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const REREAD_AFTER_MS = 10_000;

/** The addresses that a hosts file gives a name (lower case), or undefined. */
export type HostsFile = (hostname: string) => Promise<readonly string[] | undefined>;

/** Reads a hosts file when it is asked, at most once in 10 s. One that cannot be read is empty. */
export function createHostsFile(path: string, clockMs: () => number): HostsFile {
  let names: Promise<Map<string, string[]>> | undefined;
  let readAtMs = 0;
  return async (hostname) => {
    if (names === undefined || clockMs() - readAtMs > REREAD_AFTER_MS) {
      readAtMs = clockMs();
      names = readFile(path, 'utf8').then(parseHosts, () => new Map());
    }
    return (await names).get(hostname);
  };
}

/** Lines of an address and its names, as hosts(5) has it. */
function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...hostnames] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const hostname of hostnames) {
      const known = names.get(hostname.toLowerCase());
      if (known === undefined) names.set(hostname.toLowerCase(), [address]);
      else known.push(address);
    }
  }
  return names;
}
