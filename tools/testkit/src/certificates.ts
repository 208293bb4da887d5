import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NEW_KEY = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ');

/** Files of a certificate for this machine, and of the authority that has signed it. */
export interface Certificate {
  ca: string;
  cert: string;
  key: string;
}

/**
 * Needs Debian's package `openssl`.
 * @param name of its files
 */
export async function createCertificate(folder: string, name: string): Promise<Certificate> {
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const [ca, caKey, cert, key] = [file('ca.pem'), file('ca.key'), file('pem'), file('key')];
  await run('openssl', [...NEW_KEY, '-x509', '-subj', `/CN=${name}`, '-keyout', caKey, '-out', ca]);
  const request = file('csr');
  await run('openssl', [...NEW_KEY, '-subj', '/CN=localhost', '-keyout', key, '-out', request]);
  const names = file('ext');
  await writeFile(names, 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const signing = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', names];
  await run('openssl', ['x509', '-req', '-in', request, ...signing, '-out', cert]);
  return { ca, cert, key };
}
