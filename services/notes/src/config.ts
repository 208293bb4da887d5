import { baseConfig, readReplicaConfig, WebUrl } from '@atrium/service-kit/config';
import { KeyRingEntries } from '@atrium/service-kit/key-ring';
import Type, { type Static } from 'typebox';
import { filesConfig } from './files/config.ts';

export const NotesWorkerConfig = Type.Object({ ...baseConfig, ...filesConfig });
export type NotesWorkerConfig = Static<typeof NotesWorkerConfig>;

export const NotesConfig = Type.Object({
  ...NotesWorkerConfig.properties,
  ...readReplicaConfig,
  /** Where the pages are; the URLs of public notes begin with it. */
  WEB_URL: WebUrl,
  /** Where the worker answers. */
  NOTES_WORKER_URL: WebUrl,
  MESSAGE_KEYS: KeyRingEntries,
});
export type NotesConfig = Static<typeof NotesConfig>;
