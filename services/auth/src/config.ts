import { baseConfig, ConfigError, readConfig, WebAddress } from '@atrium/service-kit/config';
import Type from 'typebox';
import { type KeyRing, parseKeyRing } from './secrets/key-ring.ts';

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
  SECRETS_KEYS: Type.Array(
    Type.String({ pattern: '^\\s*[A-Za-z0-9_-]+:[A-Za-z0-9+/_-]{43}=?\\s*$' }),
    {
      minItems: 1,
      description: '32-byte keys as id:base64, separated by commas, the first of which encrypts',
    },
  ),
});

export type AuthConfig = Type.Static<typeof AuthConfigSchema> & { keyRing: KeyRing };

/** @throws ConfigError with every fault at once */
export function readAuthConfig(env: NodeJS.ProcessEnv): AuthConfig {
  const config = readConfig(AuthConfigSchema, env);
  try {
    return { ...config, keyRing: parseKeyRing(config.SECRETS_KEYS) };
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}
