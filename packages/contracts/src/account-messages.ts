// Why it is so: docs/decisions/0011-services-exchange-account-messages-through-the-outbox.md
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { IdSchema } from './ids.ts';
import { CollaboratorRole } from './notes/members.ts';
import { Timestamp } from './timestamps.ts';
import { Plan } from './auth/tokens.ts';

/** Per job: parts of an export are large. */
export const MESSAGE_BATCH_MAX = 4;

/**
 * UTF-16 units of text in one part of an export. Even when every unit takes three bytes or has to
 * be escaped, a message stays under 512 KB.
 */
export const EXPORT_PART_MAX_UNITS = 131_072;

/** Services that store account data, in the order of an export. */
export const DATA_SERVICES = ['auth', 'notes', 'links', 'webhooks'] as const;
export type DataService = (typeof DATA_SERVICES)[number];

/** To every service but auth: the account was erased, so all of its rows must be deleted. */
export const AccountDeletedData = Type.Object({});

/** To every service: send the account's data in parts to the inbox of auth. */
export const ExportRequestedData = Type.Object({ exportId: IdSchema('exp') });

/** To auth: one part of the JSON text of a service's data of an account. */
export const ExportPartData = Type.Object({
  exportId: IdSchema('exp'),
  service: Type.Enum([...DATA_SERVICES]),
  /** An interrupted service starts again: only parts of one run belong together. */
  run: Type.String({ minLength: 1, maxLength: 64 }),
  /** From 0; the text is the parts in this order. */
  number: Type.Integer({ minimum: 0 }),
  isLast: Type.Boolean(),
  text: Type.String({ maxLength: EXPORT_PART_MAX_UNITS }),
});
export type ExportPartData = Static<typeof ExportPartData>;

/** To auth: the platform disabled a subscription; its owner is to be told by email. */
export const WebhookDisabledData = Type.Object({
  webhookId: IdSchema('whk'),
  url: Type.String(),
  /** One sentence for the owner. */
  reason: Type.String(),
});
export type WebhookDisabledData = Static<typeof WebhookDisabledData>;

/** To auth: someone is to be told by email that the account invites them to a workspace. */
export const WorkspaceInvitedData = Type.Object({
  email: Type.String(),
  workspaceName: Type.String(),
  role: CollaboratorRole,
  /** The token of the link, encrypted with `MESSAGE_KEYS` for `invitationContext(email)`. */
  token: Type.String(),
});
export type WorkspaceInvitedData = Static<typeof WorkspaceInvitedData>;

/** What the token of an invitation is encrypted for, so that it fits no other message. */
export const invitationContext = (email: string): string => `workspace.invited/${email}`;

/** To every service but auth: the account has another plan since the message was created. */
export const PlanChangedData = Type.Object({ plan: Plan });

/** To webhooks: the account was imported from elsewhere, where products know it by another id. */
export const AccountImportedData = Type.Object({ externalId: Type.String() });

function MessageOf<Kind extends string, Data extends TSchema>(kind: Kind, data: Data) {
  return Type.Object({
    /** The same on every redelivery of the message. */
    id: IdSchema('msg'),
    kind: Type.Literal(kind),
    accountId: IdSchema('usr'),
    createdAt: Timestamp,
    data,
    /** The request that caused it. */
    requestId: Type.Optional(Type.String()),
    traceparent: Type.Optional(Type.String()),
  });
}

/** A message between services about one account. */
export const Message = Type.Union([
  MessageOf('account.deleted', AccountDeletedData),
  MessageOf('export.requested', ExportRequestedData),
  MessageOf('export.part', ExportPartData),
  MessageOf('webhook.disabled', WebhookDisabledData),
  MessageOf('workspace.invited', WorkspaceInvitedData),
  MessageOf('plan.changed', PlanChangedData),
  MessageOf('account.imported', AccountImportedData),
]);
export type Message = Static<typeof Message>;
export type MessageKind = Message['kind'];

/** The result of a job; messages that are not listed were handled. */
export const MessageResult = Type.Object({
  failed: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() })),
});
export type MessageResult = Static<typeof MessageResult>;

const message = Compile(Message);
const messageResult = Compile(MessageResult);

export function isMessage(value: unknown): value is Message {
  return message.Check(value);
}

export function isMessageResult(value: unknown): value is MessageResult {
  return messageResult.Check(value);
}
