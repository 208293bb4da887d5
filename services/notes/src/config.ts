import { baseConfig, WebAddress } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';

export const NotesConfig = Type.Object({
  ...baseConfig,
  /** Where the public reaches this service; shared links begin with it. */
  NOTES_URL: WebAddress,
});
export type NotesConfig = Static<typeof NotesConfig>;
