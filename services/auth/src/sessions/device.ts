import { createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { parseUserAgent } from '../user-agent.ts';

const ID_BYTES = 16;

export interface Device {
  /** Family only ("Firefox"): a new version of a browser is not a new device. */
  browser: string;
  os: string;
  fingerprint: Buffer;
  /** The device cookie's value, to be set again at each login. */
  cookie: string;
}

/**
 * Recognises a browser by its signed device cookie together with the browser and system it says it
 * is: a cookie carried to another browser is a new device, and so is a cookie we did not sign.
 */
export function recogniseDevice(
  keyRing: KeyRing,
  request: { cookie: string | undefined; userAgent: string | undefined },
): Device {
  const id = readDeviceId(keyRing, request.cookie) ?? randomBytes(ID_BYTES).toString('base64url');
  const { browser, os } = parseUserAgent(request.userAgent ?? '');
  const [mac] = keyRing.macs('auth device-cookie', id);
  return {
    browser,
    os,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([id, browser, os]))
      .digest(),
    cookie: `${id}.${mac.toString('base64url')}`,
  };
}

function readDeviceId(keyRing: KeyRing, cookie: string | undefined): string | undefined {
  const [id, mac] = cookie?.split('.') ?? [];
  return id !== undefined &&
    mac !== undefined &&
    keyRing.verifyMac('auth device-cookie', id, Buffer.from(mac, 'base64url'))
    ? id
    : undefined;
}
