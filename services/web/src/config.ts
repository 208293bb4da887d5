import { baseConfig, Origin, tracingConfig, WebUrl } from '@atrium/service-kit/config';
import Type, { type Static } from 'typebox';

const { PORT, HOST, METRICS_PORT, LOG_LEVEL, TRUST_PROXY, RATE_LIMITS } = baseConfig;

/** The URLs are those that browsers use. */
export const WebConfig = Type.Object({
  PORT,
  HOST,
  METRICS_PORT,
  LOG_LEVEL,
  TRUST_PROXY,
  RATE_LIMITS,
  ...tracingConfig,
  /** Where browsers reach this service. It must be on the same site as the others: cookies need it. */
  WEB_URL: WebUrl,
  AUTH_URL: WebUrl,
  NOTES_URL: WebUrl,
  /** Where this process reaches notes, if not where browsers do. */
  NOTES_INTERNAL_URL: Type.Optional(WebUrl),
  LINKS_URL: WebUrl,
  WEBHOOKS_URL: WebUrl,
  /** Where this process reaches webhook-dispatcher, if not where browsers do. */
  WEBHOOKS_INTERNAL_URL: Type.Optional(WebUrl),
  /** Other products that a login may return to. */
  RETURN_ORIGINS: Type.Array(Origin, {
    default: [],
    description: 'origins separated by commas, such as https://app.example.com',
  }),
  /** Keeps the files of earlier builds for open pages; all processes of the service share it. */
  KEPT_ASSETS_DIR: Type.Optional(Type.String({ minLength: 1 })),
});
export type WebConfig = Static<typeof WebConfig>;
