import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** What a collaborator can be; the owner of a workspace is its only owner. */
export const CollaboratorRole = Type.Union([Type.Literal('editor'), Type.Literal('viewer')]);
export type CollaboratorRole = Static<typeof CollaboratorRole>;

export const Role = Type.Union([
  Type.Literal('owner'),
  Type.Literal('editor'),
  Type.Literal('viewer'),
]);
export type Role = Static<typeof Role>;

/** Names and avatars come from auth: `GET /users?ids=`. */
export const Member = component(
  'Member',
  Type.Object({ userId: IdSchema('usr'), role: Role, joinedAt: Timestamp }),
  { userId: exampleId('usr'), role: 'editor', joinedAt: EXAMPLE_TIMESTAMP },
);
export type Member = Static<typeof Member>;

export const MemberParams = Type.Object({
  id: AnyId,
  userId: AnyId,
});

export const ChangeMemberBody = component(
  'ChangeMemberBody',
  Type.Object({ role: CollaboratorRole }, { additionalProperties: false }),
  { role: 'viewer' },
);

export const TransferWorkspaceBody = component(
  'TransferWorkspaceBody',
  Type.Object({ userId: { ...AnyId, description: 'A member' } }, { additionalProperties: false }),
  { userId: exampleId('usr') },
);
