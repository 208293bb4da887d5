import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { WebhooksConfig } from './config.ts';
import { openWebhooks } from './open-webhooks.ts';

await runProcess('webhook-dispatcher', async (context) => {
  const config = readConfig(WebhooksConfig, context.env);
  const { server } = await openWebhooks(context, config);
  await serve(context.stack, server, { port: config.PORT, host: config.HOST });
});
