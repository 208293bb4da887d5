import type { Activity } from '@atrium/client';
import { Text } from '@mantine/core';
import { memo } from 'react';
import { AccountAvatar } from '../../ui/controls/account-avatar.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { type People, personOf } from '../members/use-people.ts';
import classes from './activity.module.css';

export const ROW_HEIGHT_PX = 57;
const AVATAR_SIZE = 32;

/** One sentence, which leads to its note while there is one. */
export const ActivityRow = memo(function ActivityRow({
  entry,
  people,
}: {
  entry: Activity;
  people: People;
}) {
  const { activity, members } = useSignedInText();
  const { kind, userId, memberId, noteId, title, formerTitle, role, createdAt } = entry;
  const person = personOf(people, userId, activity.somebody);
  const hasLeft = kind === 'member.removed' && userId !== null && userId === memberId;
  const isErased = noteId !== null && title === null;
  const sentence = activity.sentences[isErased ? 'erased' : hasLeft ? 'left' : kind](person.name, {
    title: title ?? '',
    former: formerTitle ?? '',
    whom: personOf(people, memberId, activity.somebody).name,
    role: role === null ? '' : members.roles[role],
  });
  return (
    <div className={classes.entry}>
      <AccountAvatar user={person} size={AVATAR_SIZE} />
      <div className={classes.sentence}>
        {noteId === null || isErased || kind === 'note.deleted' ? (
          <Text component="span">{sentence}</Text>
        ) : (
          <RowLink to="/notes/$id" params={{ id: noteId }}>
            {sentence}
          </RowLink>
        )}
      </div>
      <Text size="sm" c="dimmed" className={classes.time ?? ''}>
        <Time value={createdAt} />
      </Text>
    </div>
  );
});
