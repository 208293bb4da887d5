import type { Routes } from '../http/routes.ts';
import { ACCOUNT_ROUTES, type AccountApi } from './account.ts';
import { LOGIN_ROUTES, type LoginApi } from './login.ts';
import { SECOND_FACTOR_ROUTES, type SecondFactorApi } from './second-factor.ts';

/** Accounts: getting in, the account itself and its second factors. */
export interface AuthApi extends LoginApi, AccountApi, SecondFactorApi {}

export const AUTH_ROUTES: Routes<AuthApi> = {
  ...LOGIN_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SECOND_FACTOR_ROUTES,
};
