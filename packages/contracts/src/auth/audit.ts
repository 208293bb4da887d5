import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { ListQuery } from '../lists.ts';
import { OPERATOR_ACTIONS } from './operator.ts';
import { UserAgent } from './sessions.ts';
import { EXAMPLE_TIMESTAMP, Moment, Timestamp } from '../timestamps.ts';

/** Every kind of event in the audit log of an account, by what it concerns. */
export const AUDIT_CATEGORIES = {
  account: [
    'account.registered',
    'account.address_reused',
    'account.deletion_requested',
    'account.deletion_cancelled',
    'account.erased',
    'account.export_requested',
    'profile.username_changed',
    'plan.changed',
  ],
  session: [
    'login.succeeded',
    'login.failed',
    'login.second_step_required',
    'logout',
    'refresh.reused',
    'session.revoked',
    'token.created',
    'token.revoked',
    'application.allowed',
    'application.revoked',
    'application.replayed',
    'device_login.confirmed',
    'device_login.denied',
    'identity.linked',
    'identity.unlinked',
    'throttled',
    'owner.disavowed',
  ],
  password: ['password.reset_requested', 'password.reset', 'password.changed', 'password.refused'],
  email: ['email.verified', 'email.change_requested', 'email.changed', 'email.change_reverted'],
  factor: [
    'factor.added',
    'factor.removed',
    'factor.used',
    'factor.failed',
    'recovery_code.used',
    'recovery_codes.renewed',
  ],
  application: [
    'application.created',
    'application.changed',
    'application.deleted',
    'application.secret_added',
    'application.secret_removed',
  ],
  operator: [...OPERATOR_ACTIONS, 'operator.accounts_imported'],
} as const;
export type AuditCategory = keyof typeof AUDIT_CATEGORIES;

export const AUDIT_KINDS = Object.values(AUDIT_CATEGORIES).flat();
export type AuditKind = (typeof AUDIT_KINDS)[number];

const NullableString = Type.Union([Type.String(), Type.Null()]);

/** Details of an event, without secrets and email addresses. */
export const AuditData = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);
export type AuditData = Static<typeof AuditData>;

/** One security event, as the account's owner sees it. */
export const AuditEvent = component(
  'AuditEvent',
  Type.Object({
    id: IdSchema('aud'),
    kind: Type.String({ examples: [...AUDIT_KINDS] }),
    /** The session that acted, where one did. */
    sessionId: NullableString,
    ipAddress: NullableString,
    /** Browser and system as the client names itself, such as "Firefox on Linux". */
    device: NullableString,
    userAgent: Type.Union([UserAgent, Type.Null()], { description: 'The parts of `device`' }),
    requestId: NullableString,
    data: AuditData,
    createdAt: Timestamp,
  }),
  {
    id: exampleId('aud'),
    kind: 'login.succeeded',
    sessionId: exampleId('ses'),
    ipAddress: '203.0.113.7',
    device: 'Firefox on Linux',
    userAgent: { browser: 'Firefox', os: 'Linux' },
    requestId: 'b1f0c7f2-6f0c-4f3e-9a55-3b1c2d4e5f60',
    data: {},
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type AuditEvent = Static<typeof AuditEvent>;

const categories = Object.keys(AUDIT_CATEGORIES) as AuditCategory[];

export const AuditQuery = Type.Object({
  ...ListQuery.properties,
  category: Type.Optional(Type.Enum(categories)),
  kind: Type.Optional(Type.Enum(AUDIT_KINDS)),
  from: Moment('Happened at this time or later'),
  to: Moment('Happened before this time'),
});
export type AuditQuery = Static<typeof AuditQuery>;
