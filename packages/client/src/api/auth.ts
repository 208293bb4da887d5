import type { Routes } from '../http/routes.ts';
import { ACCOUNT_ROUTES, type AccountApi } from './account.ts';
import { DEVICE_LOGIN_ROUTES, type DeviceLoginApi } from './device-login.ts';
import { LOGIN_ROUTES, type LoginApi } from './login.ts';
import { SECOND_FACTOR_ROUTES, type SecondFactorApi } from './second-factor.ts';

/** Accounts: getting in, the account itself and its second factors. */
export interface AuthApi extends LoginApi, DeviceLoginApi, AccountApi, SecondFactorApi {}

export const AUTH_ROUTES: Routes<AuthApi> = {
  ...LOGIN_ROUTES,
  ...DEVICE_LOGIN_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SECOND_FACTOR_ROUTES,
};
