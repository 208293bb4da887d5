import { useNavigate } from '@tanstack/react-router';
import type { PaletteEntry } from '../../ui/palette-entry.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useFavourites } from '../favourites/use-favourites.ts';

/** Before anything is typed, most people are on their way to a favourite. */
export function useFavouriteEntries(typed: string): PaletteEntry[] {
  const { favourites: texts } = useSignedInText().listing;
  const navigate = useNavigate();
  const { data = [] } = useFavourites();
  if (typed.trim() !== '') return [];
  return data.map(({ id, title }) => ({
    key: id,
    label: title,
    detail: texts.one,
    run: () => navigate({ to: '/notes/$id', params: { id } }),
  }));
}
