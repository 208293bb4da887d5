import { createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { parseUserAgent } from '../user-agent.ts';

const ID_BYTES = 16;

export interface Device {
  /** Without a version: an update of a browser is not a new device. */
  browser: string;
  os: string;
  /** The hash of the random id in the device cookie. */
  idHash: Buffer<ArrayBuffer>;
  fingerprint: Buffer<ArrayBuffer>;
}

export interface RequestDevice extends Device {
  /** The request carried a device cookie that we signed. */
  hasCookie: boolean;
  /** The value of the device cookie, to be set again at each login and refresh. */
  cookie: string;
}

/**
 * Identifies a browser by its signed device cookie and the browser and system that it claims to be. A
 * cookie copied to another browser is an unknown device, and so is a cookie that we did not sign.
 */
export function identifyDevice(
  keyRing: KeyRing,
  request: { cookie: string | undefined; userAgent: string | undefined },
): RequestDevice {
  const knownId = readDeviceId(keyRing, request.cookie);
  const id = knownId ?? randomBytes(ID_BYTES).toString('base64url');
  const { browser, os } = parseUserAgent(request.userAgent ?? '');
  const [mac] = keyRing.macs('auth device-cookie', id);
  return {
    browser,
    os,
    idHash: createHash('sha256').update(id).digest(),
    fingerprint: createHash('sha256')
      .update(JSON.stringify([id, browser, os]))
      .digest(),
    hasCookie: knownId !== undefined,
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
