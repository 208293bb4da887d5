import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { readAuthConfig } from './config.ts';
import { openAuth } from './open-auth.ts';
import { lowerHashingPriority } from './passwords/hashing-priority.ts';

await runProcess('auth', async (context) => {
  const config = readAuthConfig(context.env);
  const server = await openAuth(context, config);
  await lowerHashingPriority();
  await serve(context.stack, server, { port: config.PORT, host: config.HOST });
});
