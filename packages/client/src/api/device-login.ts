import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  CompleteDeviceLoginBody,
  DeviceLogin,
  DeviceLoginCodes,
  LoginResponse,
  OwnerProof,
  StartDeviceLoginBody,
} from '../types.ts';

/** Login of devices without a browser (RFC 8628). */
export interface DeviceLoginApi {
  /**
   * Begins to log this device in: show the user code and the address.
   * @example
   * const codes = await atrium.auth.startDeviceLogin({ client_name: 'backup on nas' });
   */
  startDeviceLogin: (
    body: StartDeviceLoginBody,
    options?: CallOptions,
  ) => Promise<DeviceLoginCodes>;
  /**
   * Logs this device in once its user has confirmed it; until then the error is
   * `authorization_pending`, and `slow_down` when it was asked too soon.
   * @example
   * const { user } = await atrium.auth.completeDeviceLogin({ device_code: '…' });
   */
  completeDeviceLogin: (
    body: CompleteDeviceLoginBody,
    options?: CallOptions,
  ) => Promise<LoginResponse>;
  /**
   * Returns what asks to be logged in, by the code that it shows.
   * @example
   * const { clientName, network } = await atrium.auth.getDeviceLogin('WDJB-MJHT');
   */
  getDeviceLogin: (userCode: string, options?: CallOptions) => Promise<DeviceLogin>;
  /**
   * Logs the device in to this account; needs the password, and the second factor if one is on.
   * @example
   * await atrium.auth.confirmDeviceLogin('WDJB-MJHT', { password });
   */
  confirmDeviceLogin: (userCode: string, body: OwnerProof, options?: CallOptions) => Promise<void>;
  /**
   * Refuses to log the device in.
   * @example
   * await atrium.auth.denyDeviceLogin('WDJB-MJHT');
   */
  denyDeviceLogin: (userCode: string, options?: CallOptions) => Promise<void>;
}

export const DEVICE_LOGIN_ROUTES: Routes<DeviceLoginApi> = {
  startDeviceLogin: 'POST /auth/device body public',
  completeDeviceLogin: 'POST /auth/device/token body login',
  getDeviceLogin: 'GET /auth/device/{code}',
  confirmDeviceLogin: 'POST /auth/device/{code}/confirm body',
  denyDeviceLogin: 'POST /auth/device/{code}/deny',
};
