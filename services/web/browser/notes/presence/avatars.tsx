import { Tooltip, VisuallyHidden } from '@mantine/core';
import { AccountAvatar } from '../../ui/controls/account-avatar.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './presence.module.css';

const AVATAR_SIZE = 28;
const SHOWN_MAX = 4;

/** The people who have a note open beside oneself. */
export function Avatars({
  people,
}: {
  people: readonly { id: string; name: string; avatar: string | null }[];
}) {
  const { presence } = useSignedInText();
  const more = people.slice(SHOWN_MAX);
  return (
    <ul className={classes.people} aria-label={presence.here}>
      {people.slice(0, SHOWN_MAX).map((person) => (
        <Tooltip key={person.id} label={presence.isHere(person.name)}>
          <li>
            <AccountAvatar user={person} size={AVATAR_SIZE} />
            <VisuallyHidden>{person.name}</VisuallyHidden>
          </li>
        </Tooltip>
      ))}
      {more.length > 0 && (
        <Tooltip label={more.map(({ name }) => name).join(', ')}>
          <li className={classes.more}>+{more.length}</li>
        </Tooltip>
      )}
    </ul>
  );
}
