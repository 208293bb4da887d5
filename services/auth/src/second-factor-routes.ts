import type { Server } from '@atrium/service-kit/server';
import {
  type ReauthenticationRoutesDeps,
  reauthenticationRoutes,
} from './second-factor/challenges/routes.ts';
import { type PasskeyRoutesDeps, passkeyRoutes } from './second-factor/passkeys/routes.ts';
import { recoveryCodeRoutes } from './second-factor/recovery-codes/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { type TotpRoutesDeps, totpRoutes } from './second-factor/totp/routes.ts';

/** Every route with which an account sets up, shows and proves its second factors. */
export function allSecondFactorRoutes(
  server: Server,
  deps: ReauthenticationRoutesDeps & PasskeyRoutesDeps & TotpRoutesDeps,
): void {
  secondFactorRoutes(server, deps);
  reauthenticationRoutes(server, deps);
  recoveryCodeRoutes(server, deps);
  totpRoutes(server, deps);
  passkeyRoutes(server, deps);
}
