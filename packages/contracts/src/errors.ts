import Type, { type Static } from 'typebox';
import { component } from './component.ts';

/** Every value of the `error` field of an error response, with its HTTP status. */
export const ERRORS = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Email Not Verified': 403,
  'Account Suspended': 403,
  'Plan Limit Exceeded': 403,
  'Not Found': 404,
  Conflict: 409,
  'Precondition Failed': 412,
  'Payload Too Large': 413,
  'Unsupported Media Type': 415,
  'Validation Error': 422,
  'Precondition Required': 428,
  'Too Many Requests': 429,
  'Internal Server Error': 500,
  'Service Unavailable': 503,
} as const;

export type ErrorName = keyof typeof ERRORS;
export type ErrorStatus = (typeof ERRORS)[ErrorName];

/** The codes of each error, and what they mean: also the message of an error that has nothing to add. */
const MEANINGS = {
  'Bad Request': {
    'bad-request': 'The request cannot be read: something is missing, or has the wrong JSON type',
  },
  Unauthorized: {
    'token-missing': 'Authentication required',
    'token-invalid': 'Invalid token',
    'token-expired': 'Token expired',
    'session-ended': 'Session has ended, please log in again',
    'credentials-wrong': 'Invalid email or password',
    'password-wrong': 'Password is wrong',
    'second-factor-required': 'A second factor is required: give code, recoveryCode or passkey',
    'code-wrong': 'Code is wrong or has been used',
    'passkey-refused': 'Passkey was not accepted',
    'login-expired': 'Login has expired, please log in again',
    'provider-login-expired': 'This login waited too long, or was begun in another browser',
    'login-again': 'The application asks that you log in again',
    'login-stronger': 'The application asks that you log in with a second factor',
    'share-locked': 'This note needs its password',
    'secret-wrong': 'The secret of a service is missing or wrong',
  },
  Forbidden: {
    'provider-email-unverified': 'The provider has not verified this email address',
    'insufficient-scope': 'The token was not made for this',
    'origin-not-allowed': 'Origin is not allowed',
    'proof-required': 'Log in, or send the password of the account',
    forbidden: 'Your role in this workspace does not allow this',
    'owner-only': 'Only its owner can move a note to a workspace of another account; copy it',
    'invitation-of-another': 'This invitation is for another email address',
    'namespace-taken': 'The first part of the name belongs to another account, or to Atrium',
    'recipient-not-allowed': 'Events of this product reach its own account only',
    'own-account': 'You cannot suspend your own account',
  },
  'Email Not Verified': { 'email-not-verified': 'Verify your email address first' },
  'Account Suspended': { 'account-suspended': 'This account is suspended' },
  'Plan Limit Exceeded': {
    'plan-limit-workspaces': 'The plan of the new owner allows no more workspaces',
    'plan-limit-notes': 'The plan of the owner allows no more notes in the workspace',
    'plan-limit-size': 'The plan of the owner allows no note, file or archive of this size',
    'plan-limit-storage': 'The plan of the owner allows no more bytes in all',
    'plan-limit-collaborators': 'The plan of the owner allows no more collaborators',
    'plan-limit-links': 'Your plan allows no more links',
    'plan-limit-webhooks': 'Your plan allows no more webhooks',
    'plan-limit-applications': 'Your plan allows no more applications',
    'trash-full':
      'The trash is full, and only the owner can empty it; or it does not hold so many notes',
  },
  'Not Found': {
    'not-found': 'What the request names does not exist, or not for this account',
    'authorization-expired': 'This request has expired, or was begun in another browser',
    'share-expired': 'This link has expired',
    'share-used-up': 'This link has been opened as often as it may be',
  },
  Conflict: {
    'username-taken': 'Username is already taken',
    'provider-account-exists':
      'There is an account with this email address: log in to it, then link it',
    'identity-taken': 'Another account is linked to it already',
    'last-way-in': 'It is the only way to log in: set a password first',
    'slug-taken': 'Slug is already taken',
    'tag-taken': 'Name is already taken by another tag',
    'nothing-to-change': 'It is in the wanted state already',
    'authenticator-exists': 'An authenticator app is set up already',
    'passkey-exists': 'Passkey is already registered',
    'too-many-passkeys': 'An account can have no more passkeys',
    'too-many-tokens': 'An account can have no more access tokens',
    'too-many-secrets': 'An application can have no more secrets',
    'no-secrets': 'An application of this kind cannot keep a secret',
    'invitation-exists': 'There is an invitation for this email address; send it again instead',
    'transfer-required': 'Transfer the workspace to give up its ownership',
    'import-running': 'Another import is in progress',
    'webhook-disabled': 'Webhook is disabled, enable it first',
    'webhook-paused': 'Webhook is paused, resume it first',
    'nothing-waiting': 'No delivery waits',
    'delivery-waiting': 'Delivery is waiting for an attempt already',
    'delivery-without-body': 'Delivery has no body any more that could be sent',
    'delivery-spent': 'Delivery has had all of its attempts',
    'recovery-running': 'A recovery of this webhook is running already',
    'lease-ended': 'Lease has ended',
    'event-id-used': 'The id was used for an event with other content',
    'too-many-event-types': 'There can be no more event types or first parts of names',
    'schema-incompatible': 'Receivers of the version before could not read the new one',
    'idempotency-key-in-use': 'A request with this Idempotency-Key is in progress',
  },
  'Precondition Failed': { 'precondition-failed': 'It has changed since you read it' },
  'Precondition Required': {
    'precondition-required': 'If-Match is required: send the ETag of the note you read',
  },
  'Payload Too Large': { 'body-too-large': 'Request body is too large' },
  'Unsupported Media Type': { 'media-type-unsupported': 'Content-Type must be application/json' },
  'Validation Error': {
    'validation-failed': 'A value can be read, but is not valid',
    'password-too-short': 'A new password has too few characters',
    'password-too-common': 'A new password is one of the most common',
    'password-with-name': 'A new password contains a name of the account or of this product',
    'recipient-unknown': 'No account was imported with this externalId',
    'email-unchanged': 'Email is already that of the account',
    'email-token-invalid': 'Token is invalid or has expired',
    'passkey-unverified': 'Passkey could not be verified, please try again',
    'image-unusable': 'Image is damaged, too large, or not a PNG, JPEG or WebP image',
    'redirect-url-missing': 'An application that people log in to needs a redirect URL',
    'url-not-allowed': 'URL has a scheme, credentials or a host that is not allowed',
    'headers-required': 'Headers must be sent again when url changes its scheme, host or port',
    'credentials-required':
      'The destination must be sent again with its credentials when url changes its scheme, host or port',
    'too-deep': 'Notes can be nested ten levels deep',
    'parent-is-below': 'A note cannot go below itself',
    'event-type-unknown': 'There is no such event type, or it is archived',
    'event-mismatch': 'The data is not what the schema of the event type says',
    'event-too-large': 'The body of an event has more than 262,144 bytes',
    'filter-unusable': 'The filter is not one that events can be checked against',
    'schema-unusable': 'The schema is not one that events can be checked against',
    'idempotency-key-reused': 'Idempotency-Key was used for another request',
  },
  'Too Many Requests': { 'too-many-requests': 'Too many requests, please try again later' },
  'Internal Server Error': {
    'internal-error': 'Something went wrong on our side, please try again later',
    'outcome-unknown': 'It may have taken effect: please look before you try again',
  },
  'Service Unavailable': {
    unavailable: 'The service is temporarily unavailable, please try again shortly',
  },
} as const satisfies Record<ErrorName, Record<string, string>>;

type Meanings = typeof MEANINGS;
type ErrorOf<Code> = { [E in ErrorName]: Code extends keyof Meanings[E] ? E : never }[ErrorName];
export type ErrorCode = { [E in ErrorName]: keyof Meanings[E] }[ErrorName];

/** Every value of the header `Error-Code` of an error response, which tells apart what a program treats differently. */
export const ERROR_CODES = Object.fromEntries(
  Object.entries(MEANINGS).flatMap(([error, codes]) =>
    Object.entries(codes).map(([code, meaning]) => [code, { error, meaning }]),
  ),
) as Record<ErrorCode, { error: ErrorName; meaning: string }>;

/** The codes that any route with such a response can give. Other codes are named by their routes. */
export const GENERAL_CODES = {
  400: ['bad-request'],
  401: ['token-missing', 'token-invalid', 'token-expired'],
  403: ['forbidden'],
  404: ['not-found'],
  412: ['precondition-failed'],
  413: ['body-too-large'],
  415: ['media-type-unsupported'],
  422: ['validation-failed'],
  428: ['precondition-required'],
  429: ['too-many-requests'],
  500: ['internal-error', 'outcome-unknown'],
  503: ['unavailable'],
} as const satisfies Partial<Record<ErrorStatus, readonly ErrorCode[]>>;

export type GeneralStatus = keyof typeof GENERAL_CODES;

/** The body of every error response: a type name for programs, one sentence for people. */
export const ErrorBody = component(
  'Error',
  Type.Object({ error: Type.String(), message: Type.String() }, { additionalProperties: false }),
  { error: 'Not Found', message: 'Link not found' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The keyword of a response's schema that lists its codes. */
export const CODES_KEYWORD = 'x-error-codes';

type StatusOf<Named> = Named extends ErrorCode
  ? (typeof ERRORS)[ErrorOf<Named>]
  : Named extends 401
    ? 401 | 403
    : Extract<Named, GeneralStatus>;

export type ErrorResponse = typeof ErrorBody & { [CODES_KEYWORD]: ErrorCode[] };

/**
 * The error responses of a route, to be spread beside its successes: a status stands for its general codes. Any
 * request can also end in 400, 429, 500 or 503, so these are always among them, and what needs a token can end in
 * 403 for its scope.
 */
export function errorResponses<const Named extends readonly (GeneralStatus | ErrorCode)[]>(
  ...named: Named
): Record<StatusOf<Named[number]> | 400 | 429 | 500 | 503, ErrorResponse> {
  const all: readonly (GeneralStatus | ErrorCode)[] = [...named, 400, 429, 500, 503];
  const codes = new Set<ErrorCode>(
    all.flatMap((name) => (typeof name === 'number' ? GENERAL_CODES[name] : name)),
  );
  if (codes.has('token-missing')) codes.add('insufficient-scope');
  const byStatus = Map.groupBy(codes, (code) => ERRORS[ERROR_CODES[code].error]);
  const responses = [...byStatus].map(([status, each]) => [
    status,
    { ...ErrorBody, [CODES_KEYWORD]: each },
  ]);
  return Object.fromEntries(responses);
}
