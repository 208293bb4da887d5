import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 100;

/**
 * The token in the verification email to this address, which auth writes as an .eml file.
 * @throws Error when none arrives within 15 s
 */
export async function verificationToken(mailDir: string, address: string): Promise<string> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    for (const name of await readdir(mailDir).catch(() => [])) {
      if (!name.endsWith('.eml')) continue;
      const mail = unfold(await readFile(join(mailDir, name), 'utf8'));
      const token = /\/verify-email\/([\w.-]+)/.exec(mail)?.[1];
      if (mail.includes(address) && token !== undefined) return token;
    }
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`No verification email to ${address} arrived in ${mailDir}.`);
}

/** Joins the lines that quoted-printable breaks with "=" (RFC 2045 section 6.7). */
function unfold(mail: string): string {
  if (!/^content-transfer-encoding: *quoted-printable/im.test(mail)) return mail;
  return mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}
