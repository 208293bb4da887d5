import Type, { type Static } from 'typebox';
import { component } from '../component.ts';
import { DisplayName, Username } from './names.ts';
import { OwnerProof } from './mfa.ts';

const HttpsUrl = Type.String({
  maxLength: 2048,
  pattern: '^https://[^\\s/]',
  errorMessage: 'must be an https URL',
});

const NewProfileLink = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 50 }),
    url: Type.String({
      maxLength: 2048,
      pattern: '^https?://[^\\s/]',
      errorMessage: 'must be an http or https URL',
    }),
  },
  { additionalProperties: false },
);

/** A field that is left out stays as it is. */
export const UpdateProfileBody = component(
  'UpdateProfileBody',
  Type.Object(
    {
      name: Type.Optional(DisplayName),
      username: Type.Optional(Username),
      bio: Type.Optional(Type.String({ maxLength: 500 })),
      avatar: Type.Optional(Type.Union([HttpsUrl, Type.Null()])),
      profileLinks: Type.Optional(Type.Array(NewProfileLink, { maxItems: 10 })),
    },
    { additionalProperties: false },
  ),
  {
    bio: 'Notes on the Analytical Engine',
    profileLinks: [{ label: 'Website', url: 'https://ada.example.com/' }],
  },
);
export type UpdateProfileBody = Static<typeof UpdateProfileBody>;

/** The languages of emails and pages. */
export const Language = Type.Union([Type.Literal('en'), Type.Literal('de')]);
export type Language = Static<typeof Language>;

export const AccountSettings = component('AccountSettings', Type.Object({ language: Language }), {
  language: 'en',
});

export type AccountSettings = Static<typeof AccountSettings>;

/** A setting that is left out stays as it is. */
export const UpdateSettingsBody = component(
  'UpdateSettingsBody',
  Type.Object({ language: Type.Optional(Language) }, { additionalProperties: false }),
  { language: 'de' },
);

export const ChangeEmailBody = component(
  'ChangeEmailBody',
  Type.Object(
    {
      email: Type.String({ format: 'email', maxLength: 254 }),
      ...OwnerProof.properties,
    },
    { additionalProperties: false },
  ),
  { email: 'lovelace@example.com', password: 'correct horse battery staple', code: '123456' },
);
