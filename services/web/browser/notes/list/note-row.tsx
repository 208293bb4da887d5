import type { NoteSummary } from '@atrium/client';
import { Badge } from '@mantine/core';
import { memo } from 'react';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Time } from '../../ui/times/time.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './list.module.css';
import { useNoteActions } from './use-notes.ts';

export const ROW_HEIGHT_PX = 64;
const TAGS_SHOWN_MAX = 4;

export const NoteRow = memo(function NoteRow({
  note,
  canWrite,
}: {
  note: NoteSummary;
  canWrite: boolean;
}) {
  const {
    notes: { list: texts },
    listing: { favourites },
  } = useSignedInText();
  const { pin, star, remove } = useNoteActions();
  const { id, title, tags, pinned, favourite, sharedUrl, updatedAt } = note;
  return (
    <>
      <div className={rows.about}>
        <div className={classes.title}>
          <RowLink to="/notes/$id" params={{ id }}>
            {title}
          </RowLink>
          {sharedUrl !== null && <Badge className={classes.badge}>{texts.public}</Badge>}
        </div>
        <div className={classes.details}>
          <span className={classes.time}>
            {texts.changed} <Time value={updatedAt} />
          </span>
          {tags.slice(0, TAGS_SHOWN_MAX).map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
          {tags.length > TAGS_SHOWN_MAX && <span>+{tags.length - TAGS_SHOWN_MAX}</span>}
        </div>
      </div>
      <div className={classes.actions}>
        <IconButton
          icon="star"
          filled={favourite}
          label={favourite ? favourites.removeNote(title) : favourites.addNote(title)}
          onClick={() => void star(id, !favourite)}
        />
        {canWrite && (
          <>
            <IconButton
              icon="pin"
              filled={pinned}
              label={pinned ? texts.unpinNote(title) : texts.pinNote(title)}
              onClick={() => void pin(note, !pinned)}
            />
            <IconButton
              icon="trash"
              label={texts.deleteNote(title)}
              onClick={() => void remove(note)}
            />
          </>
        )}
      </div>
    </>
  );
});
