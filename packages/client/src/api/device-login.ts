import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { DeviceLogin, OwnerProof } from '../types.ts';

/** Answers devices without a browser that ask to be logged in (RFC 8628). */
export interface DeviceLoginApi {
  /**
   * Returns what asks to be logged in, by the code that it shows.
   * @example
   * const { application, network } = await applications.getDeviceLogin('WDJB-MJHT');
   */
  getDeviceLogin: (userCode: string, options?: CallOptions) => Promise<DeviceLogin>;
  /**
   * Logs the device in to this account; needs the password, and the second factor if one is on.
   * @example
   * await applications.confirmDeviceLogin('WDJB-MJHT', { password });
   */
  confirmDeviceLogin: (userCode: string, body: OwnerProof, options?: CallOptions) => Promise<void>;
  /**
   * Refuses to log the device in.
   * @example
   * await applications.denyDeviceLogin('WDJB-MJHT');
   */
  denyDeviceLogin: (userCode: string, options?: CallOptions) => Promise<void>;
}

export const DEVICE_LOGIN_ROUTES: Routes<DeviceLoginApi> = {
  getDeviceLogin: 'GET /auth/device/{code}',
  confirmDeviceLogin: 'POST /auth/device/{code}/confirm body',
  denyDeviceLogin: 'POST /auth/device/{code}/deny',
};
