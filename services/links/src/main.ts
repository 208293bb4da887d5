import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { LinksConfig } from './config.ts';
import { openLinks } from './open-links.ts';

await runProcess('links', async (context) => {
  const config = readConfig(LinksConfig, context.env);
  const { server } = await openLinks(context, config);
  await serve(context.stack, server, { port: config.PORT, host: config.HOST });
});
