import { Suspense } from 'react';
import { lazyPart } from '../../frame/lazy-part.tsx';
import { useUser } from '../../session/signed-in.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { usePeople } from '../members/use-people.ts';
import type { OpenNote } from '../saving/open-note.ts';
import classes from './here.module.css';
import { useNoteStream } from './use-note-stream.ts';

/** Most notes are written alone. */
const People = lazyPart(async () => (await import('./people.tsx')).People);

/** Who else has the note open, and whose changes have just come in. */
export function Here({ note }: { note: OpenNote }) {
  const { presence, members } = useSignedInText();
  const user = useUser();
  const { present, savedBy } = useNoteStream(note);
  const others = present.filter((id) => id !== user.id);
  const people = usePeople([...others, ...(savedBy === null ? [] : [savedBy])]);
  const toPerson = (id: string) => ({
    id,
    name: people?.get(id)?.name ?? members.unknown,
    avatar: people?.get(id)?.avatar ?? null,
  });
  return (
    <div className={classes.here}>
      <span role="status" className={classes.notice}>
        {savedBy !== null && savedBy !== user.id && presence.saved(toPerson(savedBy).name)}
      </span>
      {others.length > 0 && (
        <Suspense>
          <People people={others.map(toPerson)} />
        </Suspense>
      )}
    </div>
  );
}
