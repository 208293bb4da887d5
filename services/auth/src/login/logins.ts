import type { ClientOf } from '../sessions/client.ts';
import type { RespondWithSession } from '../sessions/response.ts';
import type { CompleteLogin } from './complete-login.ts';

/** What every way to log in begins and ends with. */
export interface Logins {
  clientOf: ClientOf;
  complete: CompleteLogin;
  respond: RespondWithSession;
}
