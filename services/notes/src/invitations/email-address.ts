import { CurrentUser } from '@atrium/contracts/auth/accounts';
import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import Value from 'typebox/value';

/** Returns the email address of the account that makes a request, in lower case. */
export type ReadEmailAddress = (authorization: string) => Promise<string>;

const TIMEOUT_MS = 3000;

/**
 * Asks auth on behalf of the account, as access tokens do not carry the address.
 *
 * @throws HttpError 401 or 403 when auth refuses the token, which may not read the account; 503 while auth does not answer
 */
export function createEmailAddressReader(authUrl: string): ReadEmailAddress {
  return async (authorization) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(`${authUrl}/user/me`, { headers: { authorization }, signal });
      if (response.status === 401) throw new HttpError('token-invalid');
      if (response.status === 403) throw new HttpError('insufficient-scope');
      const { email } = Value.Parse(CurrentUser, await response.json());
      return email.toLowerCase();
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw unavailable('Your account cannot be checked at the moment', undefined, error);
    }
  };
}
