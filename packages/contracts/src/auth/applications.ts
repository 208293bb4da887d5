import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';
import { DisplayName } from './names.ts';
import { OwnerProof } from './mfa.ts';
import { SCOPES } from './scope-names.ts';

// Programs of other people that log their users in with Atrium: docs/sign-in-with-atrium.md

/** So that one can be replaced while the other is in use. */
export const SECRETS_MAX = 2;
const URLS_MAX = 20;

/**
 * - `web`: runs on a server, which keeps a secret
 * - `single-page`: runs in browsers
 * - `native`: runs on the machines of people, as an app or a command
 * - `machine`: works for its owner, and nobody logs in to it
 */
export const ApplicationKind = Type.Enum(['web', 'single-page', 'native', 'machine']);
export type ApplicationKind = Static<typeof ApplicationKind>;

const Url = Type.String({ minLength: 1, maxLength: 2000 });
const Urls = Type.Array(Url, { maxItems: URLS_MAX, uniqueItems: true });
const NullableUrl = Type.Union([Url, Type.Null()]);

const fields = {
  name: DisplayName,
  homePage: { ...NullableUrl, description: 'Where people read about it' },
  redirectUrls: {
    ...Urls,
    description:
      'Where people come back to, compared character by character: https, or http with a loopback IP address ' +
      '(any port of it for `native`); a `machine` has none',
  },
  postLogoutUrls: { ...Urls, description: 'Where people come back to after they have logged out' },
  backchannelLogoutUrl: {
    ...NullableUrl,
    description:
      'Where it is told that a person has logged out (OpenID Connect Back-Channel Logout); ' +
      'its host is a full domain name or an IP address, or `localhost` with http',
  },
  scopes: Type.Array(Type.Enum([...SCOPES]), {
    maxItems: SCOPES.length,
    uniqueItems: true,
    description: 'The most that it can ask for; it can always ask who the person is',
  }),
  idTokenAlgorithm: Type.Enum(['RS256', 'EdDSA'], { description: 'Signs its ID tokens' }),
};

/** A secret without the secret. */
export const ApplicationSecret = component(
  'ApplicationSecret',
  Type.Object({
    id: IdSchema('sct'),
    ending: Type.String({ description: 'Its last characters' }),
    createdAt: Timestamp,
  }),
  { id: exampleId('sct'), ending: '4f1a', createdAt: EXAMPLE_TIMESTAMP },
);
export type ApplicationSecret = Static<typeof ApplicationSecret>;

const example = {
  name: 'Reading list',
  homePage: 'https://reading.example',
  redirectUrls: ['https://reading.example/callback'],
  postLogoutUrls: ['https://reading.example/'],
  backchannelLogoutUrl: null,
  scopes: ['notes:read'],
  idTokenAlgorithm: 'RS256',
} satisfies Static<Type.TObject<typeof fields>>;

const secretExample = { id: exampleId('sct'), ending: '4f1a', createdAt: EXAMPLE_TIMESTAMP };

/** A program that people log in to with Atrium. Its id is the `client_id`. */
export const Application = component(
  'Application',
  Type.Object({
    id: IdSchema('app'),
    kind: ApplicationKind,
    ...fields,
    /** The URL of an image, made by an upload. */
    logo: Type.Union([Type.String(), Type.Null()]),
    /** Made by those who run Atrium, so that nobody has to allow it. */
    isFirstParty: Type.Boolean(),
    secrets: Type.Array(ApplicationSecret, { maxItems: SECRETS_MAX }),
    /** How many people have allowed it. */
    people: Type.Integer({ minimum: 0 }),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('app'),
    kind: 'web',
    ...example,
    logo: null,
    isFirstParty: false,
    secrets: [secretExample],
    people: 12,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type Application = Static<typeof Application>;

/** All of one account; a plan allows no more than fit one answer. */
export const Applications = component(
  'Applications',
  Type.Object({
    data: Type.Array(Application),
    limit: Type.Integer({ description: 'How many the plan allows' }),
  }),
  { data: [], limit: 10 },
);

export const CreateApplicationBody = component(
  'CreateApplicationBody',
  Type.Object(
    {
      kind: ApplicationKind,
      ...Type.Partial(Type.Object(fields)).properties,
      name: DisplayName,
      ...OwnerProof.properties,
    },
    { additionalProperties: false },
  ),
  { kind: 'web', ...example, password: 'correct horse battery staple' },
);
export type CreateApplicationBody = Static<typeof CreateApplicationBody>;

/** Settings that change only with re-authentication: where people are sent, and what it may ask for. */
export const GUARDED_SETTINGS = [
  'redirectUrls',
  'postLogoutUrls',
  'backchannelLogoutUrl',
  'scopes',
] as const;
export type GuardedSetting = (typeof GUARDED_SETTINGS)[number];

export const ChangeApplicationBody = component(
  'ChangeApplicationBody',
  Type.Partial(
    Type.Object({ ...fields, ...OwnerProof.properties }, { additionalProperties: false }),
  ),
  {
    redirectUrls: ['https://reading.example/callback', 'http://localhost:3000/callback'],
    password: 'correct horse battery staple',
  },
);
export type ChangeApplicationBody = Static<typeof ChangeApplicationBody>;

const secret = Type.String({ description: 'Shown once; the `client_secret`' });
const secretValue = 'atrium_app_00000000000000000000000000000000000000000000000';

/** `secret` is missing for kinds that cannot keep one. */
export const CreatedApplication = component(
  'CreatedApplication',
  Type.Object({ ...Application.properties, secret: Type.Optional(secret) }),
  {
    id: exampleId('app'),
    kind: 'web',
    ...example,
    logo: null,
    isFirstParty: false,
    secrets: [secretExample],
    people: 0,
    createdAt: EXAMPLE_TIMESTAMP,
    secret: secretValue,
  },
);

export const AddedSecret = component(
  'AddedSecret',
  Type.Object({ ...ApplicationSecret.properties, secret }),
  { ...secretExample, secret: secretValue },
);
