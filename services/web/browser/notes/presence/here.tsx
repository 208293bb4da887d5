import { Tooltip, VisuallyHidden } from '@mantine/core';
import { AccountAvatar } from '../../account/profile/account-avatar.tsx';
import { useUser } from '../../session/signed-in.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { usePeople } from '../members/use-people.ts';
import type { OpenNote } from '../saving/open-note.ts';
import classes from './here.module.css';
import { useNoteStream } from './use-note-stream.ts';

const AVATAR_SIZE = 28;
const SHOWN_MAX = 4;

/** Who else has the note open, and whose changes have just come in. */
export function Here({ note }: { note: OpenNote }) {
  const { presence, members } = useSignedInText();
  const user = useUser();
  const { present, savedBy } = useNoteStream(note);
  const others = present.filter((id) => id !== user.id);
  const people = usePeople([...others, ...(savedBy === null ? [] : [savedBy])]);
  const nameOf = (id: string) => people?.get(id)?.name ?? members.unknown;
  const more = others.slice(SHOWN_MAX);
  return (
    <div className={classes.here}>
      <span role="status" className={classes.notice}>
        {savedBy !== null && savedBy !== user.id && presence.saved(nameOf(savedBy))}
      </span>
      {others.length > 0 && (
        <ul className={classes.people} aria-label={presence.here}>
          {others.slice(0, SHOWN_MAX).map((id) => (
            <Tooltip key={id} label={presence.isHere(nameOf(id))}>
              <li>
                <AccountAvatar
                  user={{ name: nameOf(id), avatar: people?.get(id)?.avatar ?? null }}
                  size={AVATAR_SIZE}
                />
                <VisuallyHidden>{nameOf(id)}</VisuallyHidden>
              </li>
            </Tooltip>
          ))}
          {more.length > 0 && (
            <Tooltip label={more.map(nameOf).join(', ')}>
              <li className={classes.more}>+{more.length}</li>
            </Tooltip>
          )}
        </ul>
      )}
    </div>
  );
}
