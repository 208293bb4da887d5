import Type, { type Static } from 'typebox';
import { IdSchema } from './ids.ts';
import { Timestamp } from './timestamps.ts';
import { Plan } from './tokens.ts';

/** Lifetime of a refresh token and of its cookie. */
export const REFRESH_TOKEN_TTL_SECONDS = 604_800;
export const REFRESH_COOKIE = 'refreshToken';

const Email = Type.String({ format: 'email', maxLength: 254 });
/** Checked by length here; the list of common passwords and the context words are auth's rules. */
const NewPassword = Type.String({ minLength: 8, maxLength: 128 });
/** What a person types to prove who they are: any length, so that its rules give nothing away. */
const GivenPassword = Type.String({ minLength: 1, maxLength: 1024 });
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Message = Type.Object({ message: Type.String() });

export const RegisterBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    username: Type.String({ pattern: '^[A-Za-z0-9_.-]{3,30}$' }),
    email: Email,
    password: NewPassword,
    birthdate: Type.String({ format: 'date' }),
    gender: Type.Union([
      Type.Literal('female'),
      Type.Literal('male'),
      Type.Literal('other'),
      Type.Literal('unspecified'),
    ]),
  },
  { additionalProperties: false },
);
export type RegisterBody = Static<typeof RegisterBody>;

export const LoginBody = Type.Object(
  { email: Email, password: GivenPassword },
  { additionalProperties: false },
);

/** INTERFACE 2.2. */
export const User = Type.Object({
  id: IdSchema('usr'),
  name: Type.String(),
  username: Type.String(),
  email: Type.String(),
  avatar: Nullable(Type.String()),
  createdAt: Timestamp,
});
export type User = Static<typeof User>;

export const LoginResponse = Type.Object({
  accessToken: Type.String(),
  user: User,
  /** Only of an account that is about to be erased: POST /user/me/restore keeps it. */
  erasesAt: Type.Optional(Timestamp),
});
export const RefreshResponse = Type.Object({ accessToken: Type.String() });

export const ProfileLink = Type.Object({ label: Type.String(), url: Type.String() });

/** INTERFACE 2.3. */
export const CurrentUser = Type.Object({
  id: IdSchema('usr'),
  name: Type.String(),
  username: Type.String(),
  email: Type.String(),
  bio: Type.String(),
  avatar: Nullable(Type.String()),
  profileLinks: Type.Array(ProfileLink),
  emailVerified: Type.Boolean(),
  createdAt: Timestamp,
});
export type CurrentUser = Static<typeof CurrentUser>;

export const ForgotPasswordBody = Type.Object({ email: Email }, { additionalProperties: false });
export const TokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });
export const ResetPasswordBody = Type.Object(
  { password: NewPassword },
  { additionalProperties: false },
);
export const ChangePasswordBody = Type.Object(
  { currentPassword: GivenPassword, newPassword: NewPassword },
  { additionalProperties: false },
);

export const SetPlanBody = Type.Object({ plan: Plan }, { additionalProperties: false });
export const AccountPlan = Type.Object({ id: IdSchema('usr'), plan: Plan });
