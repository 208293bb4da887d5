import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useFavourites } from '../notes/favourites/use-favourites.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { Icon } from '../ui/controls/icon.tsx';
import classes from './sidebar.module.css';

/** The notes that the person has made favourites, the latest first. Nothing while there are none. */
export function Favourites() {
  const { listing, lists } = useSignedInText();
  const { data = [], hasMore, loadMore } = useFavourites();
  const titleId = useId();
  if (data.length === 0) return null;
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.groupTitle}>
        {listing.favourites.title}
      </h2>
      {data.map(({ id, title }) => (
        <Link key={id} to="/notes/$id" params={{ id }} className={classes.favourite} title={title}>
          <Icon name="star" filled />
          <span className={classes.label}>{title}</span>
        </Link>
      ))}
      {hasMore && (
        <button type="button" className={classes.favourite} onClick={loadMore}>
          {lists.more}
        </button>
      )}
    </section>
  );
}
