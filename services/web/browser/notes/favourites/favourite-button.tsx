import { useState } from 'react';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useNoteActions } from '../list/use-notes.ts';

/** Makes the note of a page a favourite, or none. */
export function FavouriteButton({
  note,
}: {
  note: { id: string; workspaceId: string; favourite: boolean };
}) {
  const { favourites: texts } = useSignedInText().listing;
  const { star } = useNoteActions();
  const [isFavourite, setFavourite] = useState(note.favourite);
  const change = async () => {
    setFavourite(!isFavourite);
    const isDone = await star(note.id, !isFavourite);
    if (!isDone) setFavourite(isFavourite);
  };
  return (
    <IconButton
      icon="star"
      filled={isFavourite}
      label={isFavourite ? texts.remove : texts.add}
      onClick={() => void change()}
    />
  );
}
