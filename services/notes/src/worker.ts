import { constants, setPriority } from 'node:os';
import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { NotesWorkerConfig } from './config.ts';
import { openNotesWorker } from './open-notes-worker.ts';

// Whoever waits for an import waits a little longer, and nobody else does.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

await runProcess('notes-worker', async (context) => {
  const config = readConfig(NotesWorkerConfig, context.env);
  const { server } = await openNotesWorker(context, config);
  await serve(context.stack, server, { port: config.PORT, host: config.HOST });
});
