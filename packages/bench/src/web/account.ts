import type { Platform } from '@atrium/local-stack/platform';
import { databaseUrl } from '@atrium/local-stack/servers';
import type { launchBrowser } from '@atrium/testkit/browser';
import { newId } from '@atrium/contracts/ids';
import pg from 'pg';

const PASSWORD = 'a long walk in the rain';

export interface Account {
  id: string;
  email: string;
  token: string;
}

/** A new account with a verified address. */
export async function createAccount({ urls, databaseServerUrl }: Platform): Promise<Account> {
  const username = `bench-${newId('usr').slice(-12)}`;
  const email = `${username}@example.com`;
  const profile = { name: 'Bench', birthdate: '1990-12-10', gender: 'unspecified' };
  await post(`${urls.auth}/auth/register`, { ...profile, username, email, password: PASSWORD });
  const client = new pg.Client({
    connectionString: databaseUrl(databaseServerUrl, 'atrium_auth'),
  });
  await client.connect();
  try {
    await client.query('UPDATE accounts SET email_verified_at = now() WHERE username = $1', [
      username,
    ]);
  } finally {
    await client.end();
  }
  const { accessToken, user } = await post(`${urls.auth}/auth/login`, {
    email,
    password: PASSWORD,
  });
  return { id: user.id, email, token: accessToken };
}

interface Answer {
  id: string;
  url: string;
  accessToken: string;
  user: { id: string };
}

export async function post(url: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** A workspace with this many notes. */
export async function createNotes(
  { urls }: Platform,
  { token }: Account,
  contents: readonly string[],
): Promise<{ workspaceId: string; noteIds: string[] }> {
  const { id: workspaceId } = await post(`${urls.notes}/api/workspaces`, { name: 'Bench' }, token);
  const noteIds: string[] = [];
  for (const [index, content] of contents.entries()) {
    const note = { title: `Note ${index + 1}`, content };
    const url = `${urls.notes}/api/workspaces/${workspaceId}/notes`;
    noteIds.push((await post(url, note, token)).id);
  }
  return { workspaceId, noteIds };
}

/** What a browser keeps of a login: for one more visit, which renews the session. */
export async function logIn(
  browser: Awaited<ReturnType<typeof launchBrowser>>,
  webUrl: string,
  { email }: Account,
) {
  await using context = await browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${webUrl}/login?return_to=/account`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  // Before the context is closed.
  return await context.storageState();
}
