import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const HOME = '/home/ada';

test.each([
  [{}, '/home/ada/.config/atrium/credentials.json'],
  [{ XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/atrium/credentials.json'],
  [{ XDG_CONFIG_HOME: '' }, '/home/ada/.config/atrium/credentials.json'],
  [{ XDG_CONFIG_HOME: 'config' }, '/home/ada/.config/atrium/credentials.json'],
  [{ ATRIUM_CREDENTIALS: 'here.json', XDG_CONFIG_HOME: '/etc' }, 'here.json'],
  [{ ATRIUM_CREDENTIALS: '' }, '/home/ada/.config/atrium/credentials.json'],
])('with %j the tokens are kept in %s', (env, path) => {
  expect(readSettings(env, HOME).credentialsPath).toBe(path);
});

test('an empty URL is like none', () => {
  const env = { ATRIUM_AUTH_URL: '', ATRIUM_NOTES_URL: 'https://notes.example' };
  expect(readSettings(env, HOME)).toMatchObject({
    authUrl: 'http://localhost:4001',
    notesUrl: 'https://notes.example',
  });
});
