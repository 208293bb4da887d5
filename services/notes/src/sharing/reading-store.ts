import { attachmentPath } from '@atrium/contracts/notes/attachments';
import { ATTACHMENT_FIELDS, type AttachmentRecord } from '../attachments/store.ts';
import type { Database } from '../database.ts';
import type { Share } from '../generated/client.ts';

export type { Share };

export interface SharedNoteRecord {
  title: string;
  content: string;
  tags: string[];
  updatedAt: Date;
}

export type SharedFile = Omit<AttachmentRecord, 'workspaceId'>;

/** What a reader with the token of a share may see. */
export interface ReadingStore {
  find(token: string): Promise<Share | null>;
  note(share: Share): Promise<SharedNoteRecord | null>;
  /** A file that the text of the note refers to. */
  attachment(share: Share, id: string): Promise<SharedFile | null>;
  /** False when the share has meanwhile ended, or has another password. */
  countView(share: Share): Promise<boolean>;
}

/** Neither in the trash nor in a deleted workspace. */
const PUBLIC = { deletedAt: null, workspace: { ownerId: { not: null } } };

/** Raw: checks and counts in one statement, so that no more readers than allowed open the note. */
const COUNT_VIEW = `
  UPDATE shares SET views = views + 1
  WHERE token = $1 AND password_hash IS NOT DISTINCT FROM $2
    AND (max_views IS NULL OR views < max_views) AND (expires_at IS NULL OR expires_at > now())
  RETURNING views`;

export function createReadingStore(database: Database): ReadingStore {
  const { prisma } = database;
  return {
    find: (token) => prisma.share.findUnique({ where: { token, note: PUBLIC } }),
    note: ({ noteId, token }) =>
      prisma.note.findUnique({
        where: { id: noteId, ...PUBLIC, share: { token } },
        select: { title: true, content: true, tags: true, updatedAt: true },
      }),
    attachment({ noteId }, id) {
      const note = { id: noteId, ...PUBLIC, content: { contains: attachmentPath(id) } };
      return prisma.attachment.findUnique({
        where: {
          id,
          storedAt: { not: null },
          workspaces: { some: { workspace: { notes: { some: note } } } },
        },
        select: ATTACHMENT_FIELDS,
      });
    },
    async countView({ token, passwordHash }) {
      return (await database.query(COUNT_VIEW, [token, passwordHash])).length === 1;
    },
  };
}
