import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';
import { DisplayName, Username } from './names.ts';
import { Plan } from './tokens.ts';

/** Lifetime of a refresh token and of its cookie. */
export const REFRESH_TOKEN_TTL_SECONDS = 604_800;
export const REFRESH_COOKIE = 'refreshToken';

const Email = Type.String({ format: 'email', maxLength: 254 });
/** Auth checks the rules itself, which have codes of their own. */
const NewPassword = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'At least 8 characters, not a common password, without the username or email name',
});
/** A password to be checked: no rule of new passwords applies, so that none is given away. */
const CurrentPassword = Type.String({ minLength: 1, maxLength: 1024 });
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const email = 'ada@example.com';
const password = 'correct horse battery staple';
const accessToken = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMDFreSJ9.c2lnbmF0dXJl';

export const Message = component('Message', Type.Object({ message: Type.String() }), {
  message: 'Your password has been changed',
});

export const RegisterBody = component(
  'RegisterBody',
  Type.Object(
    {
      name: DisplayName,
      username: Username,
      email: Email,
      password: NewPassword,
      birthdate: Type.String({ format: 'date' }),
      gender: Type.Union([
        Type.Literal('female'),
        Type.Literal('male'),
        Type.Literal('other'),
        Type.Literal('unspecified'),
      ]),
      /** The token of the invitation that led here: the link that verifies the email address leads back to it. */
      invitation: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
    },
    { additionalProperties: false },
  ),
  {
    name: 'Ada Lovelace',
    username: 'ada',
    email,
    password,
    birthdate: '1815-12-10',
    gender: 'female',
  },
);
export type RegisterBody = Static<typeof RegisterBody>;

export const LoginBody = component(
  'LoginBody',
  Type.Object({ email: Email, password: CurrentPassword }, { additionalProperties: false }),
  { email, password },
);

/** INTERFACE 2.2. */
export const User = component(
  'User',
  Type.Object({
    id: IdSchema('usr'),
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    avatar: Nullable(Type.String()),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('usr'),
    name: 'Ada Lovelace',
    username: 'ada',
    email,
    avatar: null,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type User = Static<typeof User>;

export const LoginResponse = component(
  'LoginResponse',
  Type.Object({
    accessToken: Type.String(),
    user: User,
    erasesAt: Type.Optional({
      ...Timestamp,
      description: 'Only while the account is to be erased; POST /user/me/restore keeps it',
    }),
  }),
  {
    accessToken,
    user: {
      id: exampleId('usr'),
      name: 'Ada Lovelace',
      username: 'ada',
      email,
      avatar: null,
      createdAt: EXAMPLE_TIMESTAMP,
    },
  },
);
export const RefreshResponse = component(
  'RefreshResponse',
  Type.Object({ accessToken: Type.String() }),
  { accessToken },
);

export const ProfileLink = Type.Object({ label: Type.String(), url: Type.String() });

/** INTERFACE 2.3. */
export const CurrentUser = component(
  'CurrentUser',
  Type.Object({
    id: IdSchema('usr'),
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    bio: Type.String(),
    avatar: Nullable(Type.String()),
    profileLinks: Type.Array(ProfileLink),
    emailVerified: Type.Boolean(),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('usr'),
    name: 'Ada Lovelace',
    username: 'ada',
    email,
    bio: 'Notes on the Analytical Engine',
    avatar: null,
    profileLinks: [{ label: 'Website', url: 'https://ada.example.com/' }],
    emailVerified: true,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type CurrentUser = Static<typeof CurrentUser>;

/** As every other account may see the user. */
export const PublicUser = Type.Pick(User, ['id', 'name', 'username', 'avatar']);
export type PublicUser = Static<typeof PublicUser>;

export const USERS_MAX = 100;
export const UsersQuery = Type.Object({
  ids: Type.String({
    description: `Up to ${USERS_MAX} ids, separated by commas`,
    minLength: 1,
    maxLength: 4000,
    examples: [exampleId('usr')],
  }),
});
export const UsersResponse = component(
  'UsersResponse',
  Type.Object({ data: Type.Array(PublicUser) }),
  { data: [{ id: exampleId('usr'), name: 'Ada Lovelace', username: 'ada', avatar: null }] },
);
export type UsersResponse = Static<typeof UsersResponse>;

export const AvatarImage = component(
  'AvatarImage',
  Type.Unknown({ description: 'The bytes of an image' }),
  'RIFF…WEBPVP8 …',
);

export const ForgotPasswordBody = component(
  'ForgotPasswordBody',
  Type.Object({ email: Email }, { additionalProperties: false }),
  { email },
);
export const TokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });
/** Proves, where no access token does, that the account of an emailed link is one's own. */
export const LinkPasswordBody = component(
  'LinkPasswordBody',
  Type.Object({ password: Type.Optional(CurrentPassword) }, { additionalProperties: false }),
  { password },
);

export const ResetPasswordBody = component(
  'ResetPasswordBody',
  Type.Object({ password: NewPassword }, { additionalProperties: false }),
  { password },
);
export const ChangePasswordBody = component(
  'ChangePasswordBody',
  Type.Object(
    { currentPassword: CurrentPassword, newPassword: NewPassword },
    { additionalProperties: false },
  ),
  { currentPassword: password, newPassword: 'a wholly different passphrase' },
);

export const SetPlanBody = component(
  'SetPlanBody',
  Type.Object({ plan: Plan }, { additionalProperties: false }),
  { plan: 'pro' },
);
export const AccountPlan = component(
  'AccountPlan',
  Type.Object({ id: IdSchema('usr'), plan: Plan }),
  { id: exampleId('usr'), plan: 'pro' },
);
