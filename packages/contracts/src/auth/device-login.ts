import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';
import { ApplicationProfile, GrantedScope } from './authorization.ts';

// How a person answers a device that asks to be logged in by a code (RFC 8628). The device itself asks the OpenID
// Connect provider.

/** How long the codes are valid. */
export const DEVICE_LOGIN_TTL_SECONDS = 600;
/** How long a device waits between two requests. */
export const DEVICE_POLL_SECONDS = 5;

export const UserCodeParams = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 40, description: 'Case and hyphens do not matter' }),
});

/** What asks to be logged in, for its user to recognise. */
export const DeviceLogin = component(
  'DeviceLogin',
  Type.Object({
    userCode: Type.String(),
    application: ApplicationProfile,
    deviceName: Type.Union([Type.String(), Type.Null()], {
      description: 'As the device calls itself, in `device_name` of its request',
    }),
    scopes: Type.Array(GrantedScope),
    network: Type.String({ description: 'Network that it was started from: 203.0.113.0/24' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
  {
    userCode: 'WDJB-MJHT',
    application: {
      id: exampleId('app'),
      name: 'Reading list',
      homePage: 'https://reading.example',
      logo: null,
      owner: 'Ada Lovelace',
      isFirstParty: false,
    },
    deviceName: 'ada-laptop',
    scopes: ['notes:read', 'offline_access'],
    network: '203.0.113.0/24',
    createdAt: EXAMPLE_TIMESTAMP,
    expiresAt: '2026-01-31T09:40:00.000Z',
  },
);
export type DeviceLogin = Static<typeof DeviceLogin>;
