import { randomBytes } from 'node:crypto';
import type { PlatformUrls } from '../environment.ts';
import { type Person, request } from './http.ts';
import { verificationToken } from './mail.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Registers an account with a random username and password. */
export async function register(
  visitor: Person,
  urls: PlatformUrls,
  { name, usernamePrefix }: { name: string; usernamePrefix: string },
): Promise<Credentials> {
  const username = `${usernamePrefix}-${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  const password = randomBytes(12).toString('base64url');
  await request(visitor, 'POST', `${urls.auth}/auth/register`, 201, {
    name,
    username,
    email,
    password,
    birthdate: '1990-12-10',
    gender: 'unspecified',
  });
  return { email, password };
}

/** Follows the link in the email that auth has written to `mailDir`. */
export async function verifyEmail(
  visitor: Person,
  urls: PlatformUrls,
  { mailDir, account }: { mailDir: string; account: Credentials },
): Promise<void> {
  const token = await verificationToken(mailDir, account.email);
  await request(visitor, 'POST', `${urls.auth}/auth/verify-email/${token}`, 200, {
    password: account.password,
  });
}
