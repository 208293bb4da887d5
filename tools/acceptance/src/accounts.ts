import { randomBytes } from 'node:crypto';
import type { Inbox } from './atrium.ts';
import { call, cookieOf, text } from './client.ts';

export interface RegistrationInput {
  name: string;
  username: string;
  email: string;
  password: string;
  birthdate: string;
  gender: string;
}

export interface Person extends RegistrationInput {
  id: string;
  accessToken: string;
  refreshCookie: string;
  deviceCookie: string;
}

export const PASSWORD = 'a long walk in the rain';
export const CHROME_ON_LINUX =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** A complete registration for this username. */
export function registrationInput(username: string): RegistrationInput {
  return {
    name: 'Ada Example',
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
    birthdate: '1990-12-10',
    gender: 'female',
  };
}

/** The same for a username that begins with this name and that nobody else has. */
export function uniqueInput(name: string): RegistrationInput {
  return registrationInput(`${name}-${randomBytes(3).toString('hex')}`);
}

/** Registers. @param headers of the request, such as those of a proxy */
export async function register(
  authUrl: string,
  body: RegistrationInput,
  headers: Record<string, string> = {},
): Promise<void> {
  const registered = await call('POST', `${authUrl}/auth/register`, { body, headers });
  if (registered.status !== 201) throw new Error(`register: ${JSON.stringify(registered.body)}`);
}

/**
 * Registers, verifies the email address and logs in. The username only begins with a given name.
 * @param headers of each request
 */
export async function createPerson(
  authUrl: string,
  mailbox: Pick<Inbox, 'waitFor'>,
  name: string | RegistrationInput,
  headers: Record<string, string> = {},
): Promise<Person> {
  const input = typeof name === 'string' ? uniqueInput(name) : name;
  await register(authUrl, input, headers);
  const mail = await mailbox.waitFor(
    (message) => message.to.includes(input.email) && message.text.includes('/verify-email/'),
  );
  const token = /\/verify-email\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
  await call('POST', `${authUrl}/auth/verify-email/${token}`, {
    body: { password: input.password },
    headers,
  });
  return { ...input, ...(await logIn(authUrl, input, headers)) };
}

/** Logs in with a browser's user agent. */
export async function logIn(
  authUrl: string,
  input: { email: string; password: string },
  headers: Record<string, string> = {},
): Promise<Omit<Person, keyof RegistrationInput>> {
  const response = await call('POST', `${authUrl}/auth/login`, {
    body: { email: input.email, password: input.password },
    headers: { 'user-agent': CHROME_ON_LINUX, ...headers },
  });
  if (response.status !== 200) throw new Error(`login: ${JSON.stringify(response.body)}`);
  const user = response.body['user'] as Record<string, unknown>;
  return {
    id: text(user, 'id'),
    accessToken: text(response.body, 'accessToken'),
    refreshCookie: cookieOf(response, 'refreshToken'),
    deviceCookie: cookieOf(response, 'device'),
  };
}
