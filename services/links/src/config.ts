import { baseConfig, readReplicaConfig, WebUrl } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';

export const LinksConfig = Type.Object({
  ...baseConfig,
  ...readReplicaConfig,
  /** Where the public reaches this service; short links begin with it. */
  LINKS_URL: WebUrl,
  /** After this, or a fifth or a day longer, only the daily totals of the clicks are kept. */
  CLICK_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 400,
    description: 'a number of days from 1 to 36500',
  }),
});
export type LinksConfig = Static<typeof LinksConfig>;
