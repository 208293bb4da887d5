/**
 * What the services send and accept, as the contracts define it. The published package carries these
 * types written out, so that it depends on nothing.
 */
import type * as account from '@atrium/contracts/account-data';
import type * as activity from '@atrium/contracts/notes/activity';
import type * as attachments from '@atrium/contracts/notes/attachments';
import type * as audit from '@atrium/contracts/auth/audit';
import type * as auth from '@atrium/contracts/auth/accounts';
import type * as backlinks from '@atrium/contracts/notes/backlinks';
import type * as deliveries from '@atrium/contracts/webhooks/deliveries';
import type * as statistics from '@atrium/contracts/webhooks/delivery-statistics';
import type * as stream from '@atrium/contracts/webhooks/delivery-stream';
import type * as device from '@atrium/contracts/auth/device-login';
import type * as errors from '@atrium/contracts/errors';
import type * as catalogue from '@atrium/contracts/webhooks/event-catalogue';
import type * as trace from '@atrium/contracts/webhooks/event-trace';
import type * as events from '@atrium/contracts/events';
import type * as imports from '@atrium/contracts/notes/imports';
import type * as links from '@atrium/contracts/links';
import type * as listeners from '@atrium/contracts/webhooks/listeners';
import type * as invitations from '@atrium/contracts/notes/invitations';
import type * as lists from '@atrium/contracts/lists';
import type * as members from '@atrium/contracts/notes/members';
import type * as mfa from '@atrium/contracts/auth/mfa';
import type * as moving from '@atrium/contracts/notes/moving';
import type * as notes from '@atrium/contracts/notes/notes';
import type * as operator from '@atrium/contracts/auth/operator';
import type * as passkeys from '@atrium/contracts/auth/passkeys';
import type * as personal from '@atrium/contracts/auth/personal-tokens';
import type * as profile from '@atrium/contracts/auth/profile';
import type * as recoveries from '@atrium/contracts/webhooks/recoveries';
import type * as revoked from '@atrium/contracts/auth/revoked-sessions';
import type * as search from '@atrium/contracts/notes/search';
import type * as sessions from '@atrium/contracts/auth/sessions';
import type * as sharing from '@atrium/contracts/notes/sharing';
import type * as storageUse from '@atrium/contracts/notes/storage-use';
import type * as tags from '@atrium/contracts/notes/tags';
import type * as tokens from '@atrium/contracts/auth/tokens';
import type * as trash from '@atrium/contracts/notes/trash';
import type * as versions from '@atrium/contracts/notes/versions';
import type * as webhooks from '@atrium/contracts/webhooks/webhooks';
import type { Static } from 'typebox';

export type ErrorName = keyof typeof errors.ERRORS;
export type ErrorCode = keyof typeof errors.ERROR_CODES;

/** A query as a caller writes it: what has a default may be left out, and undefined is left out. */
type Query<Parsed, Required extends keyof Parsed = never> = Pick<Parsed, Required> & {
  [Name in Exclude<keyof Parsed, Required>]?: Parsed[Name] | undefined;
};

export type ListQuery = Query<Static<typeof lists.ListQuery>>;

/** One page of a list; `nextCursor` is null on the last one. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

export type AccountExport = Static<typeof account.AccountExport>;
export type AccountPlan = Static<typeof auth.AccountPlan>;
export type AccountSettings = Static<typeof profile.AccountSettings>;
export type AddPasskeyBody = Static<typeof passkeys.AddPasskeyBody>;
export type AddedPasskey = Static<typeof passkeys.AddedPasskey>;
export type AuditEvent = Static<typeof audit.AuditEvent>;
export type AuditQuery = Query<Static<typeof audit.AuditQuery>>;
export type ChangeEmailBody = Static<typeof profile.ChangeEmailBody>;
export type ChangePasswordBody = Static<typeof auth.ChangePasswordBody>;
export type AssertionCredential = Static<typeof passkeys.AssertionCredential>;
export type CompleteDeviceLoginBody = Static<typeof device.CompleteDeviceLoginBody>;
export type ConfirmTotpBody = Static<typeof mfa.ConfirmTotpBody>;
export type ConfirmedTotp = Static<typeof mfa.ConfirmedTotp>;
export type CurrentUser = Static<typeof auth.CurrentUser>;
export type DeletionScheduled = Static<typeof account.DeletionScheduled>;
export type DeletionState = Static<typeof account.DeletionState>;
export type DeviceLogin = Static<typeof device.DeviceLogin>;
export type DeviceLoginCodes = Static<typeof device.DeviceLoginCodes>;
export type ExportState = Static<typeof account.ExportState>;
export type ForgotPasswordBody = Static<typeof auth.ForgotPasswordBody>;
export type JsonWebKeySet = Static<typeof tokens.JsonWebKeySet>;
export type LinkPasswordBody = Static<typeof auth.LinkPasswordBody>;
export type LoginBody = Static<typeof auth.LoginBody>;
export type LoginResponse = Static<typeof auth.LoginResponse>;
export type Message = Static<typeof auth.Message>;
export type MfaBody = Static<typeof mfa.MfaBody>;
export type MfaOptions = Static<typeof mfa.MfaOptions>;
export type MfaOptionsBody = Static<typeof mfa.MfaOptionsBody>;
export type OwnerProof = Static<typeof mfa.OwnerProof>;
export type PersonalToken = Static<typeof personal.PersonalToken>;
export type PersonalTokens = Static<typeof personal.PersonalTokens>;
export type CreatePersonalTokenBody = Static<typeof personal.CreatePersonalTokenBody>;
export type CreatedPersonalToken = Static<typeof personal.CreatedPersonalToken>;
export type Passkey = Static<typeof passkeys.Passkey>;
export type PasskeyCreationOptions = Static<typeof passkeys.PasskeyCreationOptions>;
export type PasskeyLoginBody = Static<typeof passkeys.PasskeyLoginBody>;
export type PasskeyRequestOptions = Static<typeof passkeys.PasskeyRequestOptions>;
export type PasswordLoginResponse = Static<typeof mfa.PasswordLoginResponse>;
export type RecoveryCodes = Static<typeof mfa.RecoveryCodes>;
export type RefreshResponse = Static<typeof auth.RefreshResponse>;
export type RegisterBody = Static<typeof auth.RegisterBody>;
export type RenamePasskeyBody = Static<typeof passkeys.RenamePasskeyBody>;
export type RegistrationCredential = Static<typeof passkeys.RegistrationCredential>;
export type ResetPasswordBody = Static<typeof auth.ResetPasswordBody>;
export type RevokedSessionsPage = Static<typeof revoked.RevokedSessionsPage>;
export type SecondFactor = Static<typeof mfa.SecondFactor>;
export type Session = Static<typeof sessions.Session>;
export type SetPlanBody = Static<typeof auth.SetPlanBody>;
export type StartDeviceLoginBody = Static<typeof device.StartDeviceLoginBody>;
export type TotpSetup = Static<typeof mfa.TotpSetup>;
export type PublicUser = Static<typeof auth.PublicUser>;
export type UsersQuery = Query<Static<typeof auth.UsersQuery>, 'ids'>;
export type UsersResponse = Static<typeof auth.UsersResponse>;
export type UpdateProfileBody = Static<typeof profile.UpdateProfileBody>;
export type UpdateSettingsBody = Static<typeof profile.UpdateSettingsBody>;

export type ChangeMemberBody = Static<typeof members.ChangeMemberBody>;
export type Activity = Static<typeof activity.Activity>;
export type Attachment = Static<typeof attachments.Attachment>;
export type Backlink = Static<typeof backlinks.Backlink>;
export type ChangeNoteBody = Static<typeof notes.ChangeNoteBody>;
export type ChangeWorkspaceBody = Static<typeof notes.ChangeWorkspaceBody>;
export type Comparison = Static<typeof versions.Comparison>;
export type ComparisonQuery = Static<typeof versions.ComparisonQuery>;
export type CopyNoteBody = Static<typeof moving.CopyNoteBody>;
export type CreateNoteBody = Static<typeof notes.CreateNoteBody>;
export type CreateWorkspaceBody = Static<typeof notes.CreateWorkspaceBody>;
export type Import = Static<typeof imports.Import>;
export type Invitation = Static<typeof invitations.Invitation>;
export type InviteBody = Static<typeof invitations.InviteBody>;
export type Member = Static<typeof members.Member>;
/** The bytes of a file. */
export type FileContent = ReadableStream<Uint8Array>;
export type MoveNoteBody = Static<typeof moving.MoveNoteBody>;
export type NameVersionBody = Static<typeof versions.NameVersionBody>;
export type Note = Static<typeof notes.Note>;
export type NoteListQuery = Query<Static<typeof notes.NoteListQuery>>;
/** Server-sent events, as bytes. */
export type NoteStream = ReadableStream<Uint8Array>;
export type NoteLinks = Static<typeof backlinks.NoteLinks>;
export type NoteSummary = Static<typeof notes.NoteSummary>;
export type OpenedSharedNote = Static<typeof sharing.OpenedSharedNote>;
export type OpenSharedNoteBody = Static<typeof sharing.OpenSharedNoteBody>;
export type ReadingConditions = Static<typeof sharing.ReadingConditions>;
export type ReceivedInvitation = Static<typeof invitations.ReceivedInvitation>;
export type RenameTagBody = Static<typeof tags.RenameTagBody>;
export type SearchQuery = Query<Static<typeof search.SearchQuery>, 'q'>;
export type SearchResponse = Static<typeof search.SearchResponse>;
export type SearchResult = Static<typeof search.SearchResult>;
export type Share = Static<typeof sharing.Share>;
export type SharedNote = Static<typeof sharing.SharedNote>;
export type ShareSettings = Static<typeof sharing.ShareSettings>;
export type StorageUse = Static<typeof storageUse.StorageUse>;
export type Tag = Static<typeof tags.Tag>;
export type TitleQuery = Query<Static<typeof search.TitleQuery>, 'q'>;
export type TitleResponse = Static<typeof search.TitleResponse>;
export type TransferWorkspaceBody = Static<typeof members.TransferWorkspaceBody>;
export type TrashedNote = Static<typeof trash.TrashedNote>;
export type Version = Static<typeof versions.Version>;
export type VersionSummary = Static<typeof versions.VersionSummary>;
export type Workspace = Static<typeof notes.Workspace>;

export type ChangeLinkBody = Static<typeof links.ChangeLinkBody>;
export type ClicksByDay = Static<typeof links.ClicksByDay>;
export type ClicksQuery = Query<Static<typeof links.ClicksQuery>>;
export type CreateLinkBody = Static<typeof links.CreateLinkBody>;
export type Link = Static<typeof links.Link>;
export type LinkQuery = Query<Static<typeof links.LinkQuery>>;
export type LinksUsage = Static<typeof links.LinksUsage>;
export type SlugAvailability = Static<typeof links.SlugAvailability>;

export type AccountDeliveriesQuery = Query<Static<typeof deliveries.AccountDeliveriesQuery>>;
export type ChangePlanBody = Static<typeof operator.ChangePlanBody>;
export type DeliveryQueues = Static<typeof operator.DeliveryQueues>;
export type EndpointFailures = Static<typeof operator.EndpointFailures>;
export type OperatorAccount = Static<typeof operator.OperatorAccount>;
export type OperatorAccountsQuery = Query<Static<typeof operator.OperatorAccountsQuery>>;
export type OperatorAction = Static<typeof operator.OperatorAction>;
export type ReasonBody = Static<typeof operator.ReasonBody>;
export type RejectedEvent = Static<typeof operator.RejectedEvent>;
export type ServiceStatus = Static<typeof operator.ServiceStatus>;

export type ChangeSubscriptionBody = Static<typeof webhooks.ChangeSubscriptionBody>;
export type CreateListenerBody = Static<typeof listeners.CreateListenerBody>;
export type CreateSubscriptionBody = Static<typeof webhooks.CreateSubscriptionBody>;
export type CreatedSubscription = Static<typeof webhooks.CreatedSubscription>;
export type DeliveriesQuery = Query<Static<typeof deliveries.DeliveriesQuery>>;
export type Delivery = Static<typeof deliveries.Delivery>;
export type DeliveryBody = Static<typeof events.DeliveryBody>;
export type DeliveryDetail = Static<typeof deliveries.DeliveryDetail>;
export type DeliveryStatistics = Static<typeof statistics.DeliveryStatistics>;
/** Server-sent events, as bytes. */
export type DeliveryStream = ReadableStream<Uint8Array>;
export type DeliveryStreamQuery = Query<Static<typeof stream.DeliveryStreamQuery>>;
export type EventName = Static<typeof events.EventName>;
export type EventTrace = Static<typeof trace.EventTrace>;
export type EventType = Static<typeof catalogue.EventType>;
export type ForwardedBody = Static<typeof listeners.ForwardedBody>;
export type GoClickData = Static<typeof events.GoClickData>;
export type LeasedDeliveries = Static<typeof listeners.LeasedDeliveries>;
export type MemberAddedData = Static<typeof events.MemberAddedData>;
export type NoteCreatedData = Static<typeof events.NoteCreatedData>;
export type NoteDeletedData = Static<typeof events.NoteDeletedData>;
export type NoteSharedData = Static<typeof events.NoteSharedData>;
export type NoteUpdatedData = Static<typeof events.NoteUpdatedData>;
export type ProcessResponse = Static<typeof deliveries.ProcessResponse>;
export type QueuedDelivery = Static<typeof deliveries.QueuedDelivery>;
export type RecoverBody = Static<typeof recoveries.RecoverBody>;
export type Recovery = Static<typeof recoveries.Recovery>;
export type RotateSecretBody = Static<typeof webhooks.RotateSecretBody>;
export type RotatedSecret = Static<typeof webhooks.RotatedSecret>;
export type StatisticsQuery = Query<Static<typeof statistics.StatisticsQuery>>;
export type Subscription = Static<typeof webhooks.Subscription>;
export type SuspiciousLoginData = Static<typeof events.SuspiciousLoginData>;
export type TestEventBody = Static<typeof webhooks.TestEventBody>;
