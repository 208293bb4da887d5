import { RegisterBody } from '@atrium/contracts/auth/accounts';
import { Language } from '@atrium/contracts/auth/profile';
import { HttpError } from '@atrium/service-kit/http-error';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { isAffordable, readHash } from '../passwords/imported-hashes/formats.ts';
import { checkBirthdate } from '../registration/birthdate.ts';

const { name, email, username, birthdate, gender } = RegisterBody.properties;

const Encoding = Type.Enum(['base64', 'hex', 'utf8']);
const derived = {
  salt: Type.String({ maxLength: 1000 }),
  hash: Type.String({ maxLength: 1000 }),
  /** How `hash` is encoded, and `salt` unless `saltEncoding` says otherwise; base64 by default. */
  encoding: Type.Optional(Encoding),
  saltEncoding: Type.Optional(Encoding),
};
const strict = { additionalProperties: false };

const HashFields = Type.Union([
  Type.Object(
    {
      algorithm: Type.Enum(['pbkdf2-sha1', 'pbkdf2-sha256', 'pbkdf2-sha512']),
      iterations: Type.Integer({ minimum: 1 }),
      ...derived,
    },
    strict,
  ),
  Type.Object(
    {
      algorithm: Type.Literal('scrypt'),
      n: Type.Integer({ minimum: 2 }),
      r: Type.Integer({ minimum: 1 }),
      p: Type.Integer({ minimum: 1 }),
      ...derived,
    },
    strict,
  ),
  Type.Object({ algorithm: Type.Literal('firebase-scrypt'), ...derived }, strict),
]);
type HashFields = Static<typeof HashFields>;

/** A line of the file: docs/moving-in.md. */
const AccountLine = Type.Object(
  {
    email,
    emailVerified: Type.Optional(Type.Boolean()),
    name: Type.Optional(name),
    username: Type.Optional(username),
    birthdate: Type.Optional(birthdate),
    gender: Type.Optional(gender),
    language: Type.Optional(Language),
    externalId: Type.Optional(
      Type.String({ maxLength: 200, pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$' }),
    ),
    createdAt: Type.Optional(Type.String({ format: 'date-time' })),
    passwordHash: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), HashFields])),
  },
  strict,
);

/** What is true of all accounts of the file; its first line may say it. */
const SettingsLine = Type.Object(
  {
    settings: Type.Object(
      {
        birthdate: Type.Optional(birthdate),
        gender: Type.Optional(gender),
        language: Type.Optional(Language),
        firebase: Type.Optional(
          Type.Object(
            {
              signerKey: Type.String({ maxLength: 200 }),
              saltSeparator: Type.String({ maxLength: 100 }),
              rounds: Type.Integer({ minimum: 1, maximum: 100 }),
              memoryCost: Type.Integer({ minimum: 1, maximum: 30 }),
            },
            strict,
          ),
        ),
      },
      strict,
    ),
  },
  strict,
);
export type ImportSettings = Static<typeof SettingsLine>['settings'];

export interface ImportedAccount {
  line: number;
  email: string;
  isVerified: boolean;
  name: string;
  /** Undefined: one is made from the email address. */
  username: string | undefined;
  birthdate: string;
  gender: string;
  language: string;
  externalId: string | null;
  createdAt: Date;
  /** Null: the owner sets a password by "forgot password". */
  passwordHash: string | null;
}

/** Why a line made no account. */
export class RejectedLine extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

const accountLine = Compile(AccountLine);
const settingsLine = Compile(SettingsLine);

/** @throws RejectedLine */
export function parseSettings(value: unknown): ImportSettings {
  if (!settingsLine.Check(value)) throw rejected(settingsLine.Errors(value));
  return value.settings;
}

/** @throws RejectedLine */
export function parseAccount(
  line: number,
  value: unknown,
  settings: ImportSettings,
  nowMs: number,
): ImportedAccount {
  if (!accountLine.Check(value)) throw rejected(accountLine.Errors(value));
  const born = value.birthdate ?? settings.birthdate;
  if (born === undefined) {
    throw new RejectedLine('birthdate', 'Birthdate is missing, in the line and in the settings');
  }
  try {
    checkBirthdate(born, nowMs);
  } catch (error) {
    throw error instanceof HttpError ? new RejectedLine('birthdate', error.message) : error;
  }
  const createdAt = new Date(value.createdAt ?? nowMs);
  // The format also has a time zone in brackets, and leap seconds.
  if (Number.isNaN(createdAt.getTime())) {
    throw new RejectedLine('createdAt', 'createdAt must be a time in ISO 8601 form');
  }
  if (createdAt.getTime() > nowMs) {
    throw new RejectedLine('createdAt', 'createdAt must not be in the future');
  }
  const hash = value.passwordHash;
  return {
    line,
    email: value.email,
    isVerified: value.emailVerified ?? false,
    name: (value.name ?? value.username ?? value.email.split('@')[0] ?? '').trim().slice(0, 100),
    username: value.username,
    birthdate: born,
    gender: value.gender ?? settings.gender ?? 'unspecified',
    language: value.language ?? settings.language ?? 'en',
    externalId: value.externalId ?? null,
    createdAt,
    passwordHash: hash === undefined ? null : checkHash(toText(hash, settings)),
  };
}

function checkHash(stored: string): string {
  const hash = readHash(stored);
  if (hash === undefined) {
    throw new RejectedLine('passwordHash', 'The format of this hash is not known');
  }
  if (!isAffordable(hash)) {
    throw new RejectedLine(
      'passwordHash',
      'This hash would cost too much to verify, or is too short',
    );
  }
  return stored;
}

/** The form in which a hash is stored; Django puts a name in front of two that have one. */
function toText(hash: string | HashFields, { firebase }: ImportSettings): string {
  if (typeof hash === 'string') return hash.replace(/^(?:argon2(?=\$argon2)|bcrypt\$(?=\$2))/, '');
  const { encoding = 'base64', saltEncoding = encoding } = hash;
  const salt = Buffer.from(hash.salt, saltEncoding);
  const key = toBase64(Buffer.from(hash.hash, encoding));
  switch (hash.algorithm) {
    case 'scrypt': {
      const { n, r, p } = hash;
      return `$scrypt$ln=${Math.log2(n)},r=${r},p=${p}$${toBase64(salt)}$${key}`;
    }
    case 'firebase-scrypt': {
      if (firebase === undefined) {
        throw new RejectedLine('passwordHash', 'The settings of Firebase are missing');
      }
      const { memoryCost, rounds } = firebase;
      const separated = Buffer.concat([salt, Buffer.from(firebase.saltSeparator, 'base64')]);
      const signerKey = toBase64(Buffer.from(firebase.signerKey, 'base64'));
      const parameters = `ln=${memoryCost},r=${rounds}`;
      return `$firebase-scrypt$${parameters}$${toBase64(separated)}$${signerKey}$${key}`;
    }
    default:
      return `$${hash.algorithm}$i=${hash.iterations}$${toBase64(salt)}$${key}`;
  }
}

const toBase64 = (bytes: Buffer) => bytes.toString('base64');

function rejected(errors: readonly { instancePath: string; message: string }[]): RejectedLine {
  const [first] = errors;
  const field = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return new RejectedLine(field, first?.message ?? 'It is not an account');
}
