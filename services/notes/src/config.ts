import { baseConfig, WebAddress } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';

export const NotesConfig = Type.Object({
  ...baseConfig,
  /** The public address of this service; links to shared notes begin with it. */
  NOTES_URL: WebAddress,
});
export type NotesConfig = Static<typeof NotesConfig>;
