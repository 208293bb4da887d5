import { baseConfig, WebAddress } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';

export const NotesConfig = Type.Object({
  ...baseConfig,
  /** Where the pages are; the addresses of public notes begin with it. */
  WEB_URL: WebAddress,
});
export type NotesConfig = Static<typeof NotesConfig>;
