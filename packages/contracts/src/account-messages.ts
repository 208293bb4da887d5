import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { IdSchema } from './ids.ts';
import { Timestamp } from './timestamps.ts';

/** Messages that one job carries at most: parts of an export are large. */
export const MESSAGE_BATCH_MAX = 4;

/**
 * UTF-16 units of text in one part of an export. In the worst case, of three bytes each or all to
 * be escaped, a message stays under 512 KB.
 */
export const EXPORT_PART_MAX_UNITS = 131_072;

/** Services that hold rows of accounts, in the order in which they stand in an export. */
export const DATA_SERVICES = ['auth', 'notes', 'links', 'webhooks'] as const;
export type DataService = (typeof DATA_SERVICES)[number];

/** To every service but auth: the account is gone, and so must be every row of it. */
export const AccountDeletedData = Type.Object({});

/** To every service: send what you hold of the account, in parts, to the inbox of auth. */
export const ExportRequestedData = Type.Object({ exportId: IdSchema('exp') });

/** To auth: one piece of the JSON text of what a service holds of an account. */
export const ExportPartData = Type.Object({
  exportId: IdSchema('exp'),
  service: Type.Union([
    Type.Literal('auth'),
    Type.Literal('notes'),
    Type.Literal('links'),
    Type.Literal('webhooks'),
  ]),
  /** A service that was interrupted starts again: the pieces of one run belong together. */
  run: Type.String({ minLength: 1, maxLength: 64 }),
  /** From 0; the text is the pieces in this order. */
  number: Type.Integer({ minimum: 0 }),
  isLast: Type.Boolean(),
  text: Type.String({ maxLength: EXPORT_PART_MAX_UNITS }),
});
export type ExportPartData = Static<typeof ExportPartData>;

/** To auth: a subscription was disabled by the platform, and its owner should hear of it by mail. */
export const WebhookDisabledData = Type.Object({
  webhookId: IdSchema('whk'),
  url: Type.String(),
  /** One sentence for the owner. */
  reason: Type.String(),
});
export type WebhookDisabledData = Static<typeof WebhookDisabledData>;

function MessageOf<Kind extends string, Data extends TSchema>(kind: Kind, data: Data) {
  return Type.Object({
    /** The same each time the message arrives. */
    id: IdSchema('msg'),
    kind: Type.Literal(kind),
    accountId: IdSchema('usr'),
    createdAt: Timestamp,
    data,
    /** The request that caused it. */
    requestId: Type.Optional(Type.String()),
  });
}

/** What travels from one service to another about one account. */
export const Message = Type.Union([
  MessageOf('account.deleted', AccountDeletedData),
  MessageOf('export.requested', ExportRequestedData),
  MessageOf('export.part', ExportPartData),
  MessageOf('webhook.disabled', WebhookDisabledData),
]);
export type Message = Static<typeof Message>;
export type MessageKind = Message['kind'];

/** The answer to a job of messages; those that are not named were handled. */
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
