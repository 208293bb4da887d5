import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { NotesConfig } from './config.ts';
import { openNotes } from './open-notes.ts';

await runProcess('notes', async (context) => {
  const config = readConfig(NotesConfig, context.env);
  const { server } = await openNotes(context, config);
  await serve(context.stack, server, { port: config.PORT, host: config.HOST });
});
