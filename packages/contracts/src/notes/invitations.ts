import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { CollaboratorRole } from './members.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

const exampleEmail = 'grace@example.com';
const exampleExpiry = '2026-02-07T09:30:00.000Z';

export const InviteBody = component(
  'InviteBody',
  Type.Object(
    { email: Type.String({ format: 'email', maxLength: 254 }), role: CollaboratorRole },
    { additionalProperties: false },
  ),
  { email: exampleEmail, role: 'editor' },
);

export const Invitation = component(
  'Invitation',
  Type.Object({
    id: IdSchema('inv'),
    workspaceId: IdSchema('ws'),
    email: Type.String(),
    role: CollaboratorRole,
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
  {
    id: exampleId('inv'),
    workspaceId: exampleId('ws'),
    email: exampleEmail,
    role: 'editor',
    createdAt: EXAMPLE_TIMESTAMP,
    expiresAt: exampleExpiry,
  },
);
export type Invitation = Static<typeof Invitation>;

/** What the holder of the emailed link sees before accepting. The owner is who invites. */
export const ReceivedInvitation = component(
  'ReceivedInvitation',
  Type.Object({
    workspaceName: Type.String(),
    ownerId: IdSchema('usr'),
    role: CollaboratorRole,
    expiresAt: Timestamp,
  }),
  { workspaceName: 'Work', ownerId: exampleId('usr'), role: 'editor', expiresAt: exampleExpiry },
);
export type ReceivedInvitation = Static<typeof ReceivedInvitation>;

export const InvitationParams = Type.Object({
  id: AnyId,
  invitationId: AnyId,
});
export const InvitationTokenParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
});
