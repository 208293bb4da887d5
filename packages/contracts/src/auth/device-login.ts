import Type, { type Static } from 'typebox';
import { component } from '../component.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

// The device authorization grant (RFC 8628), with JSON bodies and the names of the RFC.

/** How long its codes are valid. */
export const DEVICE_LOGIN_TTL_SECONDS = 600;
/** Between two polls; grows by as much each time that a client polls sooner (section 3.5). */
export const DEVICE_POLL_SECONDS = 5;

const deviceCode = 'q3vYy0kq1x5m8d0nY3t2a9f6b7c4e1h8j5l2p0r7s4u';
const clientName = 'atrium on ada-laptop';

export const StartDeviceLoginBody = component(
  'StartDeviceLoginBody',
  Type.Object(
    {
      client_name: Type.String({
        minLength: 1,
        maxLength: 60,
        pattern: '^[^\\p{C}]+$',
        description: 'Shown when the login is confirmed, and in the list of sessions',
      }),
    },
    { additionalProperties: false },
  ),
  { client_name: clientName },
);

/** RFC 8628 section 3.2. */
export const DeviceLoginCodes = component(
  'DeviceLoginCodes',
  Type.Object({
    device_code: Type.String({ description: 'For polling; keep it secret' }),
    user_code: Type.String({ description: 'For the user to compare or to type' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds' }),
    interval: Type.Integer({ description: 'Seconds between two polls' }),
  }),
  {
    device_code: deviceCode,
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://app.example.com/device',
    verification_uri_complete: 'https://app.example.com/device?code=WDJB-MJHT',
    expires_in: DEVICE_LOGIN_TTL_SECONDS,
    interval: DEVICE_POLL_SECONDS,
  },
);
export type DeviceLoginCodes = Static<typeof DeviceLoginCodes>;

export const CompleteDeviceLoginBody = component(
  'CompleteDeviceLoginBody',
  Type.Object(
    { device_code: Type.String({ minLength: 1, maxLength: 200 }) },
    { additionalProperties: false },
  ),
  { device_code: deviceCode },
);

export const UserCodeParams = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 40, description: 'Case and hyphens do not matter' }),
});

/** What asks to be logged in, for its user to recognise. */
export const DeviceLogin = component(
  'DeviceLogin',
  Type.Object({
    userCode: Type.String(),
    clientName: Type.String(),
    network: Type.String({ description: 'Network that it was started from: 203.0.113.0/24' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
  {
    userCode: 'WDJB-MJHT',
    clientName,
    network: '203.0.113.0/24',
    createdAt: EXAMPLE_TIMESTAMP,
    expiresAt: '2026-01-31T09:40:00.000Z',
  },
);
export type DeviceLogin = Static<typeof DeviceLogin>;
