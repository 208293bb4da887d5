import { type Attachment, attachmentPath } from '@atrium/contracts/notes/attachments';
import type { AttachmentRecord } from './store.ts';

export function represent({ createdAt, ...file }: AttachmentRecord): Attachment {
  return { ...file, path: attachmentPath(file.id), createdAt: createdAt.toISOString() };
}
