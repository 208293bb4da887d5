import { baseConfig, WebAddress } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';
import { filesConfig } from './files/config.ts';

export const NotesConfig = Type.Object({
  ...baseConfig,
  ...filesConfig,
  /** Where the pages are; the addresses of public notes begin with it. */
  WEB_URL: WebAddress,
});
export type NotesConfig = Static<typeof NotesConfig>;
