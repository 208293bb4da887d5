import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';
import { LoginResponse, RegisterBody } from './accounts.ts';
import { MfaRequired } from './mfa.ts';

// Logging in with an account elsewhere: docs/login-with-others.md

const Provider = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Domains of the people who belong to it: the login page leads them there. */
  emailDomains: Type.Array(Type.String()),
});

export const LoginProviders = component(
  'LoginProviders',
  Type.Object({ data: Type.Array(Provider) }),
  { data: [{ id: 'google', name: 'Google', emailDomains: [] }] },
);
export type LoginProviders = Static<typeof LoginProviders>;

export const ProviderParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 32 }) });

export const StartProviderLoginBody = component(
  'StartProviderLoginBody',
  Type.Object(
    {
      returnTo: Type.Optional(
        Type.String({ maxLength: 800, description: 'Handed on to the page /login/provider' }),
      ),
    },
    { additionalProperties: false },
  ),
  { returnTo: '/notes' },
);

export const ProviderLocation = component(
  'ProviderLocation',
  Type.Object({ location: Type.String({ description: 'Where the page goes on to' }) }),
  { location: 'https://accounts.example.com/authorize?client_id=atrium' },
);

/** What a new account still has to say; its email address is the verified one of the provider. */
const SignUpNeeded = Type.Object({
  signUp: Type.Object({ provider: Type.String(), email: Type.String(), name: Type.String() }),
});

export const ProviderLogin = component(
  'ProviderLogin',
  Type.Union([
    LoginResponse,
    MfaRequired,
    SignUpNeeded,
    Type.Object({ linked: Type.String({ description: 'The name of the provider' }) }),
  ]),
  { signUp: { provider: 'Google', email: 'ada@example.com', name: 'Ada Lovelace' } },
);
export type ProviderLogin = Static<typeof ProviderLogin>;

const { name, username, birthdate, gender } = RegisterBody.properties;

export const ProviderSignUpBody = component(
  'ProviderSignUpBody',
  Type.Object({ name, username, birthdate, gender }, { additionalProperties: false }),
  { name: 'Ada Lovelace', username: 'ada', birthdate: '1815-12-10', gender: 'female' },
);
export type ProviderSignUpBody = Static<typeof ProviderSignUpBody>;

/** A way to log in beside the password and the passkeys. */
export const Identity = component(
  'Identity',
  Type.Object({
    id: IdSchema('idt'),
    provider: Type.String(),
    /** What the provider showed when it was linked, such as an email address. */
    label: Type.String(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
  }),
  {
    id: exampleId('idt'),
    provider: 'google',
    label: 'ada@example.com',
    createdAt: EXAMPLE_TIMESTAMP,
    lastUsedAt: EXAMPLE_TIMESTAMP,
  },
);
export type Identity = Static<typeof Identity>;

export const Identities = component(
  'Identities',
  Type.Object({ data: Type.Array(Identity), hasPassword: Type.Boolean() }),
  { data: [], hasPassword: true },
);
export type Identities = Static<typeof Identities>;
