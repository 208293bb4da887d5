import { baseConfig, WebAddress } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';

export const LinksConfig = Type.Object({
  ...baseConfig,
  /** Where the public reaches this service; short links begin with it. */
  LINKS_URL: WebAddress,
});
export type LinksConfig = Static<typeof LinksConfig>;
