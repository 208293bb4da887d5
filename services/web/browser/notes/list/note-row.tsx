import type { NoteSummary } from '@atrium/client';
import { Badge } from '@mantine/core';
import { memo } from 'react';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './list.module.css';
import { NoteActions, NoteActionsMenu } from './note-actions.tsx';

/** One line, and two where it is narrow. */
export const ROW_HEIGHT_PX = { wide: 36, narrow: 52 };
const TAGS_SHOWN_MAX = 3;

export const NoteRow = memo(function NoteRow({
  note,
  place,
  author,
  canWrite,
  isNarrow,
}: {
  note: NoteSummary;
  /** The titles above it, where its own does not say which note it is. */
  place: string | undefined;
  /** The name of the person who wrote it last, unless the user has written all notes. */
  author: string | undefined;
  canWrite: boolean;
  isNarrow: boolean;
}) {
  const { list: texts } = useSignedInText().notes;
  const { id, title, tags, sharedUrl, updatedAt } = note;
  const Actions = isNarrow ? NoteActionsMenu : NoteActions;
  return (
    <>
      <div className={classes.note}>
        <RowLink to="/notes/$id" params={{ id }}>
          {title}
        </RowLink>
        <div className={classes.details}>
          {place !== undefined && <span className={classes.place}>{place}</span>}
          {sharedUrl !== null && <Badge className={classes.badge}>{texts.public}</Badge>}
          {tags.slice(0, TAGS_SHOWN_MAX).map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
          {tags.length > TAGS_SHOWN_MAX && <span>+{tags.length - TAGS_SHOWN_MAX}</span>}
        </div>
        <span className={classes.time}>
          {author !== undefined && `${author} · `}
          <Time value={updatedAt} />
        </span>
      </div>
      <Actions note={note} canWrite={canWrite} />
    </>
  );
});
