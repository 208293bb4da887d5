import type { Application } from '@atrium/client';
import { expect, test } from 'vitest';
import { SETUPS } from '../browser/developers/setups.ts';

const application = {
  id: 'app_1',
  kind: 'web',
  redirectUrls: ['https://reading.example/callback'],
  scopes: [],
} as unknown as Application;

const openidClient = (issuer: string, kind: Application['kind'] = 'web') =>
  SETUPS[kind][0]?.write({ issuer, application: { ...application, kind } });

test.each([
  ['web', 'process.env.CLIENT_SECRET, undefined'],
  ['native', 'undefined, client.None()'],
] as const)(
  'a %s application may use an issuer without TLS while it is developed',
  (kind, place) => {
    const options = `${place}, { execute: [client.allowInsecureRequests] },`;
    expect(openidClient('http://localhost:4001', kind)).toContain(options);
    expect(openidClient('https://auth.example', kind)).not.toContain('allowInsecureRequests');
  },
);

test('a login checks the state that it began with', () => {
  expect(openidClient('https://auth.example')).toContain('expectedState: state');
});
