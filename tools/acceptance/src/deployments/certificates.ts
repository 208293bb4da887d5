import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './programs.ts';

const run = promisify(execFile);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Files of a certificate for this machine, and of the authority that has signed it. */
export interface Certificate {
  ca: string;
  cert: string;
  key: string;
}

/** @param name of its files */
export async function createCertificate(folder: string, name: string): Promise<Certificate> {
  const openssl = await findProgram('openssl');
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const [ca, caKey, cert, key] = [file('ca.pem'), file('ca.key'), file('pem'), file('key')];
  await run(openssl, [
    ...['req', '-x509', ...NEW_KEY, '-days', '2', '-subj', `/CN=${name} authority`],
    ...['-keyout', caKey, '-out', ca],
  ]);
  await run(openssl, [
    'req',
    ...NEW_KEY,
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    file('csr'),
  ]);
  await writeFile(file('ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  await run(openssl, [
    ...['x509', '-req', '-in', file('csr'), '-CA', ca, '-CAkey', caKey, '-CAcreateserial'],
    ...['-days', '2', '-extfile', file('ext'), '-out', cert],
  ]);
  return { ca, cert, key };
}
