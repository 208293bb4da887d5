import { baseConfig, readConfig, WebAddress } from '@atrium/service-kit/config';
import Type from 'typebox';
import { type KeyRing, KeyRingEntries, parseKeyRing } from '@atrium/service-kit/key-ring';

export const AuthConfigSchema = Type.Object({
  ...baseConfig,
  /** Where people click: the links in mails begin with it. */
  WEB_URL: WebAddress,
  ACCESS_TOKEN_TTL_SECONDS: Type.Integer({ minimum: 1, maximum: 86_400, default: 900 }),
  /** Without it mails are written to MAIL_DIR. */
  SMTP_URL: Type.Optional(
    Type.String({ pattern: '^smtps?://', description: 'an smtp:// or smtps:// address' }),
  ),
  MAIL_FROM: Type.String({ minLength: 3, default: 'Atrium <no-reply@atrium.localhost>' }),
  MAIL_DIR: Type.String({ minLength: 1, default: '.data/mail' }),
  INTERNAL_SECRET: Type.String({
    minLength: 16,
    description: 'a secret of at least 16 characters',
  }),
  SECRETS_KEYS: KeyRingEntries,
});

export type AuthConfig = Type.Static<typeof AuthConfigSchema> & { keyRing: KeyRing };

/** @throws ConfigError with every fault at once */
export function readAuthConfig(env: NodeJS.ProcessEnv): AuthConfig {
  const config = readConfig(AuthConfigSchema, env);
  return { ...config, keyRing: parseKeyRing(config.SECRETS_KEYS) };
}
