import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { WorkerConfig } from './config.ts';
import { openDeliveryWorker } from './open-delivery-worker.ts';

await runProcess('webhook-worker', async (context) => {
  const config = readConfig(WorkerConfig, context.env);
  const server = await openDeliveryWorker(context, config);
  await serve(context.stack, server, { port: config.METRICS_PORT, host: config.HOST });
});
