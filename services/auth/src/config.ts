import { Plan } from '@atrium/contracts/auth/tokens';
import { Networks } from '@atrium/service-kit/address-guard';
import { baseConfig, readConfig, WebUrl } from '@atrium/service-kit/config';
import Type from 'typebox';
import { type LoginProvider, parseLoginProviders } from './login-providers-config.ts';
import { type KeyRing, KeyRingEntries, parseKeyRing } from '@atrium/service-kit/key-ring';

export const AuthConfigSchema = Type.Object({
  ...baseConfig,
  /** Links in emails begin with it. */
  WEB_URL: WebUrl,
  ACCESS_TOKEN_TTL_SECONDS: Type.Integer({ minimum: 1, maximum: 86_400, default: 900 }),
  /** Without it emails are written to files in MAIL_DIR. */
  SMTP_URL: Type.Optional(
    Type.String({ pattern: '^smtps?://', description: 'an smtp:// or smtps:// URL' }),
  ),
  MAIL_FROM: Type.String({
    pattern: '^(("[^"]*"|[^",:;<>@]*) *<[^\\s,<>@]+@[^\\s,<>@]+>|[^\\s,<>@]+@[^\\s,<>@]+)$',
    default: 'Atrium <no-reply@atrium.localhost>',
    description: 'an address, or a name (with a comma: in quotes) and an address in <>',
  }),
  /** Default `.data/mail`. */
  MAIL_DIR: Type.Optional(Type.String({ minLength: 1 })),
  INTERNAL_SECRET: Type.String({
    minLength: 16,
    description: 'a secret of at least 16 characters',
  }),
  SECRETS_KEYS: KeyRingEntries,
  /** The same keys as in notes, for what only auth may read of a message. */
  MESSAGE_KEYS: KeyRingEntries,
  /** Node's own variable. All threads but one hash passwords. */
  UV_THREADPOOL_SIZE: Type.Integer({ minimum: 1, maximum: 1024, default: 4 }),
  /** `on`: each refresh extends the session. `off`: it ends 7 days after the login. */
  REFRESH_SLIDING: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'off' }),
  SIGNING_KEY_MAX_AGE_DAYS: Type.Integer({ minimum: 1, maximum: 3650, default: 90 }),
  /** The plan of new accounts. */
  DEFAULT_PLAN: Type.Union(Plan.anyOf, { default: 'free' }),
  /** Days between a deletion request and the erasure; 0 erases at once. */
  ACCOUNT_DELETION_GRACE_DAYS: Type.Integer({ minimum: 0, maximum: 365, default: 14 }),
  /** Verified email addresses of accounts that are operators once a second factor is on. */
  OPERATOR_EMAILS: Type.Array(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$' }), {
    default: [],
    description: 'email addresses separated by commas',
  }),
  /** Private networks that applications may be told of logouts in. */
  WEBHOOK_ALLOWED_NETWORKS: Networks,
  /** The providers that people can log in with, as a JSON array: docs/login-with-others.md. */
  LOGIN_PROVIDERS: Type.Optional(Type.String()),
  /** How long security events are kept. */
  AUDIT_RETENTION_DAYS: Type.Integer({ minimum: 1, maximum: 3650, default: 365 }),
  /** How long the record of a sent email is kept; its content is deleted at once. */
  MAIL_RETENTION_DAYS: Type.Integer({ minimum: 1, maximum: 3650, default: 30 }),
});

export type AuthConfig = Type.Static<typeof AuthConfigSchema> & {
  keyRing: KeyRing;
  messageKeys: KeyRing;
  loginProviders: LoginProvider[];
};

/** @throws ConfigError that names every invalid variable, or the first error within the value of one */
export function readAuthConfig(env: NodeJS.ProcessEnv): AuthConfig {
  const config = readConfig(AuthConfigSchema, env);
  return {
    ...config,
    keyRing: parseKeyRing(config.SECRETS_KEYS),
    messageKeys: parseKeyRing(config.MESSAGE_KEYS, 'MESSAGE_KEYS'),
    loginProviders: parseLoginProviders(config.LOGIN_PROVIDERS),
  };
}
