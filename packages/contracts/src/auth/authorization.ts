import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';
import { IDENTITY_SCOPES, SCOPES } from './scope-names.ts';

// How a person answers an application that asks to log them in. The provider sends their browser to the page
// `/authorize/{uid}`, which calls these with credentials: they work only in the browser that began the request.

export const GrantedScope = Type.Enum([...IDENTITY_SCOPES, ...SCOPES]);
export type GrantedScope = Static<typeof GrantedScope>;

const NullableString = Type.Union([Type.String(), Type.Null()]);

/** What people are shown of an application. */
export const ApplicationProfile = component(
  'ApplicationProfile',
  Type.Object({
    id: IdSchema('app'),
    name: Type.String(),
    /** Where people read about it. */
    homePage: NullableString,
    /** The URL of an image, which its owner has chosen as freely as the name. */
    logo: NullableString,
    /** Its owner, whose name anybody could have chosen. */
    owner: Type.String(),
    isFirstParty: Type.Boolean(),
  }),
  {
    id: exampleId('app'),
    name: 'Reading list',
    homePage: 'https://reading.example',
    logo: null,
    owner: 'Ada Lovelace',
    isFirstParty: false,
  },
);
export type ApplicationProfile = Static<typeof ApplicationProfile>;

export const UidParams = Type.Object({ uid: Type.String({ minLength: 1, maxLength: 100 }) });

/** A request of an application that waits for a person. */
export const AuthorizationRequest = component(
  'AuthorizationRequest',
  Type.Object({
    application: ApplicationProfile,
    /** Where the browser will be sent: the host, or the scheme of an app. */
    host: Type.String(),
    /**
     * `login`: nobody is logged in, or not recently or not strongly enough. `consent`: something has to be allowed.
     * `select_account`: the person is to choose an account.
     */
    prompt: Type.Enum(['login', 'consent', 'select_account']),
    /** All that it asks for. */
    scopes: Type.Array(GrantedScope),
    /** Which of these the person has to be asked for. While empty, `allow` can be called without asking. */
    newScopes: Type.Array(GrantedScope),
    /** Whether only a login with a second factor will do. */
    needsSecondFactor: Type.Boolean(),
    /** What the application knows of who is to log in. */
    loginHint: NullableString,
    /** The account logged in to this browser; null: none, or one whose login does not suffice. */
    account: Type.Union([
      Type.Object({ id: IdSchema('usr'), name: Type.String(), email: Type.String() }),
      Type.Null(),
    ]),
    expiresAt: Timestamp,
  }),
  {
    application: {
      id: exampleId('app'),
      name: 'Reading list',
      homePage: 'https://reading.example',
      logo: null,
      owner: 'Ada Lovelace',
      isFirstParty: false,
    },
    host: 'reading.example',
    prompt: 'consent',
    scopes: ['openid', 'notes:read'],
    newScopes: ['notes:read'],
    needsSecondFactor: false,
    loginHint: null,
    account: { id: exampleId('usr'), name: 'Grace Hopper', email: 'grace@example.com' },
    expiresAt: EXAMPLE_TIMESTAMP,
  },
);
export type AuthorizationRequest = Static<typeof AuthorizationRequest>;

export const AuthorizationAnswer = component(
  'AuthorizationAnswer',
  Type.Object({ location: Type.String({ description: 'Where the page goes on to' }) }),
  { location: 'https://atrium.example/auth/authorize/hH4fV2x' },
);

/** What the person has allowed an application. */
export const Grant = component(
  'Grant',
  Type.Object({
    id: IdSchema('cns'),
    application: ApplicationProfile,
    scopes: Type.Array(GrantedScope),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    /** Devices that were logged in by their code, the newest first. */
    devices: Type.Array(
      Type.Object({ id: IdSchema('gnt'), name: Type.String(), createdAt: Timestamp }),
    ),
  }),
  {
    id: exampleId('cns'),
    application: {
      id: exampleId('app'),
      name: 'Reading list',
      homePage: 'https://reading.example',
      logo: null,
      owner: 'Ada Lovelace',
      isFirstParty: false,
    },
    scopes: ['openid', 'notes:read'],
    createdAt: EXAMPLE_TIMESTAMP,
    lastUsedAt: EXAMPLE_TIMESTAMP,
    devices: [],
  },
);
export type Grant = Static<typeof Grant>;
