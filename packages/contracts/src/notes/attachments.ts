import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** What a note writes to show or link an attachment. */
export function attachmentPath(id: string): string {
  return `/api/attachments/${id}/content`;
}

export const AttachmentName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^/\\\\\\x00-\\x1f\\x7f]+$',
  description: 'The name of the file, without a folder',
  errorMessage: 'must be the name of a file, without a folder',
});

export const Attachment = component(
  'Attachment',
  Type.Object({
    id: IdSchema('fil'),
    workspaceId: IdSchema('ws'),
    name: Type.String(),
    type: Type.String({ description: 'The media type, as its content shows it' }),
    sizeBytes: Type.Integer(),
    path: Type.String({
      description: 'Where its content is; written in the content of a note it keeps the attachment',
    }),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('fil'),
    workspaceId: exampleId('ws'),
    name: 'garden.jpg',
    type: 'image/jpeg',
    sizeBytes: 48_213,
    path: attachmentPath(exampleId('fil')),
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type Attachment = Static<typeof Attachment>;

export const UploadQuery = Type.Object({ name: AttachmentName });
