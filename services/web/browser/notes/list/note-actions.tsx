import type { NoteSummary } from '@atrium/client';
import { ActionsMenu } from '../../ui/controls/actions-menu.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { PopoverMenuItem } from '../../ui/controls/popover-menu.tsx';
import rows from '../../ui/lists/rows.module.css';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './list.module.css';
import { useNoteActions } from './use-notes.ts';

interface Props {
  note: NoteSummary;
  canWrite: boolean;
}

/** What can be done with a note of a list. What a note is marked with stays in view. */
export function NoteActions({ note, canWrite }: Props) {
  const {
    notes: { list: texts },
    listing: { favourites },
  } = useSignedInText();
  const { pin, star, remove } = useNoteActions();
  const { id, title, pinned, favourite } = note;
  return (
    <div className={classes.actions}>
      {canWrite && (
        <span className={rows.action}>
          <IconButton
            icon="trash"
            label={texts.deleteNote(title)}
            onClick={() => void remove(note)}
          />
        </span>
      )}
      <span className={rows.action} data-stays={favourite}>
        <IconButton
          icon="star"
          filled={favourite}
          label={favourite ? favourites.removeNote(title) : favourites.addNote(title)}
          onClick={() => void star(id, !favourite)}
        />
      </span>
      {canWrite && (
        <span className={rows.action} data-stays={pinned}>
          <IconButton
            icon="pin"
            filled={pinned}
            label={pinned ? texts.unpinNote(title) : texts.pinNote(title)}
            onClick={() => void pin(note, !pinned)}
          />
        </span>
      )}
    </div>
  );
}

/** The same behind one button. */
export function NoteActionsMenu({ note, canWrite }: Props) {
  const {
    notes: { list: texts },
    listing: { list, favourites },
  } = useSignedInText();
  const { pin, star, remove } = useNoteActions();
  const { id, title, pinned, favourite } = note;
  return (
    <ActionsMenu label={list.actions(title)}>
      <PopoverMenuItem onClick={() => void star(id, !favourite)}>
        {favourite ? favourites.remove : favourites.add}
      </PopoverMenuItem>
      {canWrite && (
        <>
          <PopoverMenuItem onClick={() => void pin(note, !pinned)}>
            {pinned ? texts.unpin : texts.pin}
          </PopoverMenuItem>
          <PopoverMenuItem onClick={() => void remove(note)}>{texts.delete}</PopoverMenuItem>
        </>
      )}
    </ActionsMenu>
  );
}
