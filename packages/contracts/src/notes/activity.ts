import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { CollaboratorRole } from './members.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** How long the activity of a workspace is kept. */
export const ACTIVITY_DAYS = 90;
/** Entries that a workspace keeps; the oldest beyond these are deleted within an hour. */
export const ACTIVITIES_MAX = 10_000;

const ACTIVITY_KINDS = [
  'note.created',
  'note.edited',
  'note.renamed',
  'note.deleted',
  'note.restored',
  'note.version_restored',
  'note.shared',
  'note.unshared',
  'note.moved',
  'member.invited',
  'member.joined',
  'member.removed',
  'member.role_changed',
  'workspace.renamed',
  'workspace.transferred',
  'workspace.imported',
] as const;
export const ActivityKind = Type.Enum([...ACTIVITY_KINDS]);
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Who did what in a workspace. Names and avatars come from auth: `GET /users?ids=`. */
export const Activity = component(
  'Activity',
  Type.Object({
    id: IdSchema('act'),
    kind: ActivityKind,
    userId: Type.Union([IdSchema('usr'), Type.Null()], {
      description: 'Who did it; null when the account has been erased',
    }),
    noteId: Type.Union([IdSchema('note'), Type.Null()]),
    title: Type.Union([Type.String(), Type.Null()], {
      description:
        'Of the note, or the name of the workspace, after the change; null once the note is deleted for good',
    }),
    formerTitle: Type.Union([Type.String(), Type.Null()], {
      description: 'Before it was renamed',
    }),
    memberId: Type.Union([IdSchema('usr'), Type.Null()], {
      description:
        'The member that it is about; null when there is none, or when the account has been erased',
    }),
    role: Type.Union([CollaboratorRole, Type.Null()], { description: 'The role that was given' }),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('act'),
    kind: 'note.renamed',
    userId: exampleId('usr'),
    noteId: exampleId('note'),
    title: 'Plans for autumn',
    formerTitle: 'Plans',
    memberId: null,
    role: null,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type Activity = Static<typeof Activity>;
