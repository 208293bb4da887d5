import Type, { type Static } from 'typebox';
import { component } from './component.ts';

/** The errors of RFC 8628 section 3.5, which clients tell apart by these names. */
export const DEVICE_LOGIN_ERRORS = {
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
} as const;

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
  ...DEVICE_LOGIN_ERRORS,
} as const;

export type ErrorName = keyof typeof ERRORS;
export type ErrorStatus = (typeof ERRORS)[ErrorName];

/**
 * Every value of the header `Error-Code` of an error response: what a program may treat in a way of its own. The
 * meaning is also the message of an error that has nothing to add.
 */
export const ERROR_CODES = {
  'bad-request': [
    'Bad Request',
    'The request cannot be read: something is missing, or has the wrong JSON type',
  ],
  'login-pending': ['authorization_pending', 'Login has not been confirmed yet'],
  'polled-too-fast': ['slow_down', 'Wait longer between two requests'],
  'login-denied': ['access_denied', 'Login was denied'],
  'device-code-expired': ['expired_token', 'Login has expired, please start again'],

  'token-missing': ['Unauthorized', 'Authentication required'],
  'token-invalid': ['Unauthorized', 'Invalid token'],
  'token-expired': ['Unauthorized', 'Token expired'],
  'session-ended': ['Unauthorized', 'Session has ended, please log in again'],
  'credentials-wrong': ['Unauthorized', 'Invalid email or password'],
  'password-wrong': ['Unauthorized', 'Password is wrong'],
  'second-factor-required': [
    'Unauthorized',
    'A second factor is required: give code, recoveryCode or passkey',
  ],
  'code-wrong': ['Unauthorized', 'Code is wrong or has been used'],
  'passkey-refused': ['Unauthorized', 'Passkey was not accepted'],
  'login-expired': ['Unauthorized', 'Login has expired, please log in again'],
  'share-locked': ['Unauthorized', 'This note needs its password'],
  'secret-wrong': ['Unauthorized', 'The secret of a service is missing or wrong'],

  'origin-not-allowed': ['Forbidden', 'Origin is not allowed'],
  'proof-required': ['Forbidden', 'Log in, or send the password of the account'],
  'role-not-allowed': ['Forbidden', 'Your role in this workspace does not allow this'],
  'owner-only': [
    'Forbidden',
    'Only its owner can move a note to the workspace of somebody else; copy it',
  ],
  'invitation-of-another': ['Forbidden', 'This invitation is for another email address'],
  'own-account': ['Forbidden', 'You cannot suspend your own account'],
  'email-not-verified': ['Email Not Verified', 'Verify your email address first'],
  'account-suspended': ['Account Suspended', 'This account is suspended'],
  'plan-limit-workspaces': [
    'Plan Limit Exceeded',
    'The plan of the new owner allows no more workspaces',
  ],
  'plan-limit-notes': [
    'Plan Limit Exceeded',
    'The plan of the owner allows no more notes in the workspace',
  ],
  'plan-limit-size': [
    'Plan Limit Exceeded',
    'The plan of the owner allows no note, file or archive of this size',
  ],
  'plan-limit-storage': [
    'Plan Limit Exceeded',
    'The plan of the owner allows no more bytes in all',
  ],
  'plan-limit-collaborators': [
    'Plan Limit Exceeded',
    'The plan of the owner allows no more collaborators',
  ],
  'plan-limit-links': ['Plan Limit Exceeded', 'Your plan allows no more links'],
  'plan-limit-webhooks': ['Plan Limit Exceeded', 'Your plan allows no more webhooks'],
  'trash-full': [
    'Plan Limit Exceeded',
    'The trash is full, and only the owner of the workspace can empty it',
  ],

  'not-found': ['Not Found', 'What the request names does not exist, or not for this account'],
  'share-expired': ['Not Found', 'This link has expired'],
  'share-used-up': ['Not Found', 'This link has been opened as often as it may be'],

  'username-taken': ['Conflict', 'Username is already taken'],
  'slug-taken': ['Conflict', 'Slug is already taken'],
  'tag-taken': ['Conflict', 'Name is already taken by another tag'],
  'nothing-to-change': ['Conflict', 'It is in the wanted state already'],
  'authenticator-exists': ['Conflict', 'An authenticator app is set up already'],
  'passkey-exists': ['Conflict', 'Passkey is already registered'],
  'too-many-passkeys': ['Conflict', 'An account can have no more passkeys'],
  'invitation-exists': [
    'Conflict',
    'There is an invitation for this email address; send it again instead',
  ],
  'transfer-required': ['Conflict', 'Transfer the workspace to give up its ownership'],
  'import-running': ['Conflict', 'Another import into this workspace is in progress'],
  'webhook-disabled': ['Conflict', 'Webhook is disabled, enable it first'],
  'delivery-waiting': ['Conflict', 'Delivery is waiting for an attempt already'],
  'delivery-without-body': ['Conflict', 'Delivery has no body any more that could be sent'],
  'delivery-spent': ['Conflict', 'Delivery has had all of its attempts'],
  'recovery-running': ['Conflict', 'A recovery of this webhook is running already'],
  'lease-ended': ['Conflict', 'Lease has ended'],
  'idempotency-key-in-use': ['Conflict', 'A request with this Idempotency-Key is in progress'],

  'precondition-failed': ['Precondition Failed', 'It has changed since you read it'],
  'precondition-required': [
    'Precondition Required',
    'If-Match is required: send the ETag of the note you read',
  ],
  'body-too-large': ['Payload Too Large', 'Request body is too large'],
  'media-type-unsupported': ['Unsupported Media Type', 'Content-Type must be application/json'],

  'validation-failed': ['Validation Error', 'A value can be read, but is not valid'],
  'password-too-weak': [
    'Validation Error',
    'A new password is too short, common, or contains a name',
  ],
  'email-unchanged': ['Validation Error', 'Email is the address of the account already'],
  'email-token-invalid': ['Validation Error', 'Token is invalid or has expired'],
  'passkey-unverified': ['Validation Error', 'Passkey could not be verified, please try again'],
  'image-unusable': [
    'Validation Error',
    'Image is damaged, too large, or not a PNG, JPEG or WebP image',
  ],
  'url-not-allowed': [
    'Validation Error',
    'URL has a scheme, credentials or an address that is not allowed',
  ],
  'headers-required': [
    'Validation Error',
    'Headers must be sent again when url changes its scheme, host or port',
  ],
  'idempotency-key-reused': ['Validation Error', 'Idempotency-Key was used for another request'],

  'too-many-requests': ['Too Many Requests', 'Too many requests, please try again later'],
  'internal-error': [
    'Internal Server Error',
    'Something went wrong on our side, please try again later',
  ],
  unavailable: [
    'Service Unavailable',
    'The service is temporarily unavailable, please try again shortly',
  ],
} as const satisfies Record<string, readonly [error: ErrorName, meaning: string]>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes that any route with such a response can give. Other codes are named by their routes. */
export const GENERAL_CODES = {
  400: ['bad-request'],
  401: ['token-missing', 'token-invalid', 'token-expired'],
  404: ['not-found'],
  413: ['body-too-large'],
  415: ['media-type-unsupported'],
  422: ['validation-failed'],
  429: ['too-many-requests'],
  500: ['internal-error'],
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
  ? (typeof ERRORS)[(typeof ERROR_CODES)[Named][0]]
  : Extract<Named, GeneralStatus>;

export type ErrorResponse = typeof ErrorBody & { [CODES_KEYWORD]: ErrorCode[] };

/**
 * The error responses of a route, to be spread beside its successes: a status stands for its general codes. Any
 * request can also end in 400, 429, 500 or 503, so these are always among them.
 */
export function errorResponses<const Named extends readonly (GeneralStatus | ErrorCode)[]>(
  ...named: Named
): Record<StatusOf<Named[number]> | 400 | 429 | 500 | 503, ErrorResponse> {
  const all: readonly (GeneralStatus | ErrorCode)[] = [...named, 400, 429, 500, 503];
  const codes = new Set(
    all.flatMap((name) => (typeof name === 'number' ? GENERAL_CODES[name] : name)),
  );
  const byStatus = Map.groupBy(codes, (code) => ERRORS[ERROR_CODES[code][0]]);
  const responses = [...byStatus].map(([status, each]) => [
    status,
    { ...ErrorBody, [CODES_KEYWORD]: each },
  ]);
  return Object.fromEntries(responses);
}
