import type { Server } from '@atrium/service-kit/server';
import { operatorApplicationRoutes } from './applications/operator-routes.ts';
import { applicationChangeRoutes } from './applications/change-routes.ts';
import { applicationLogoRoutes } from './applications/logo-routes.ts';
import { type ApplicationRoutesDeps, applicationRoutes } from './applications/routes.ts';
import { applicationSecretRoutes } from './applications/secret-routes.ts';
import { deviceLoginRoutes } from './device-login/routes.ts';
import { grantRoutes } from './grants/routes.ts';
import { interactionRoutes } from './interactions/routes.ts';
import type { OauthProvider } from './provider/provider.ts';
import { providerRoutes } from './provider/routes.ts';

interface OauthRoutesDeps extends ApplicationRoutesDeps {
  provider: OauthProvider;
}

/** Logging in to other applications with Atrium: docs/sign-in-with-atrium.md. Each part has hooks of its own. */
export async function allOauthRoutes(server: Server, deps: OauthRoutesDeps): Promise<void> {
  await server.register(providerRoutes, deps);
  await server.register(interactionRoutes, deps);
  await server.register(deviceLoginRoutes, deps);
  await server.register(applicationRoutes, deps);
  await server.register(applicationChangeRoutes, deps);
  await server.register(applicationLogoRoutes, deps);
  await server.register(applicationSecretRoutes, deps);
  await server.register(grantRoutes, deps);
  await server.register(operatorApplicationRoutes, deps);
}
