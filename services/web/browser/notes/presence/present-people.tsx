import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { personOf, usePeople } from '../members/use-people.ts';
import type { OpenNote } from '../saving/open-note.ts';
import classes from './presence.module.css';
import { useNoteStream } from './use-note-stream.ts';

/** Most notes are written alone. */
const Avatars = lazyPart(async () => (await import('./avatars.tsx')).Avatars);

/** Who else has the note open, and whose changes have just come in. */
export function PresentPeople({ note }: { note: OpenNote }) {
  const { presence, members } = useSignedInText();
  const user = useUser();
  const { present, savedBy } = useNoteStream(note);
  const others = present.filter((id) => id !== user.id);
  const people = usePeople([...others, ...(savedBy === null ? [] : [savedBy])]);
  const toPerson = (id: string) => ({ ...personOf(people, id, members.unknown), id });
  return (
    <div className={classes.presence}>
      <span role="status" className={classes.notice}>
        {savedBy !== null && savedBy !== user.id && presence.saved(toPerson(savedBy).name)}
      </span>
      {others.length > 0 && (
        <Suspense>
          <Avatars people={others.map(toPerson)} />
        </Suspense>
      )}
    </div>
  );
}
