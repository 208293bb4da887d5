import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';
import { OwnerProof } from './mfa.ts';
import { SCOPES } from './scope-names.ts';

/** Where auth exchanges a personal access token, sent as bearer, for an access token of some minutes. */
export const EXCHANGE_PATH = '/internal/access-tokens';

export const PERSONAL_TOKENS_MAX = 20;
const LIFETIME_MAX_DAYS = 365;

const Scopes = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
});
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

/** A credential for a program of the account's owner. */
export const PersonalToken = component(
  'PersonalToken',
  Type.Object({
    id: IdSchema('pat'),
    name: Name,
    scopes: Scopes,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    lastUsedAt: { ...NullableTimestamp, description: 'To some minutes; null: never' },
  }),
  {
    id: exampleId('pat'),
    name: 'Nightly backup',
    scopes: ['notes:read'],
    createdAt: EXAMPLE_TIMESTAMP,
    expiresAt: '2026-05-01T09:30:00.000Z',
    lastUsedAt: null,
  },
);
export type PersonalToken = Static<typeof PersonalToken>;

export const PersonalTokens = component(
  'PersonalTokens',
  Type.Object({ data: Type.Array(PersonalToken, { maxItems: PERSONAL_TOKENS_MAX }) }),
  { data: [] },
);

export const CreatePersonalTokenBody = component(
  'CreatePersonalTokenBody',
  Type.Object(
    {
      name: Name,
      scopes: Scopes,
      expiresInDays: Type.Integer({ minimum: 1, maximum: LIFETIME_MAX_DAYS }),
      ...OwnerProof.properties,
    },
    { additionalProperties: false },
  ),
  {
    name: 'Nightly backup',
    scopes: ['notes:read'],
    expiresInDays: 90,
    password: 'correct horse battery staple',
  },
);
export type CreatePersonalTokenBody = Static<typeof CreatePersonalTokenBody>;

export const CreatedPersonalToken = component(
  'CreatedPersonalToken',
  Type.Object({
    ...PersonalToken.properties,
    token: Type.String({ description: 'Shown once; sent as `Authorization: Bearer`' }),
  }),
  {
    id: exampleId('pat'),
    name: 'Nightly backup',
    scopes: ['notes:read'],
    createdAt: EXAMPLE_TIMESTAMP,
    expiresAt: '2026-05-01T09:30:00.000Z',
    lastUsedAt: null,
    token: 'atrium_pat_0000000000000000000000000000000000000000000000000000',
  },
);

export const ExchangedToken = component(
  'ExchangedToken',
  Type.Object({ accessToken: Type.String() }),
  { accessToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl' },
);
