import type { OpenNote } from '../saving/open-note.ts';
import { CollisionNotice } from './collision-notice.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import { NoDraftsNotice } from './no-drafts-notice.tsx';
import { ReadOnlyNotice } from './read-only-notice.tsx';

const NOTICES = {
  noDrafts: NoDraftsNotice,
  conflict: CollisionNotice,
  deleted: DeletedNotice,
  forbidden: ReadOnlyNotice,
};

export function Notice({ about, note }: { about: keyof typeof NOTICES; note: OpenNote }) {
  const Shown = NOTICES[about];
  return <Shown note={note} />;
}
