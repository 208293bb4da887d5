import type { Link } from '@atrium/client';
import { memo } from 'react';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { Time } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { readableUrl } from '../ui/urls.ts';
import classes from './link-list.module.css';

/** One line, and two where it is narrow. */
export const ROW_HEIGHT_PX = { wide: 40, narrow: 56 };

export const LinkRow = memo(function LinkRow({ link }: { link: Link }) {
  const { links } = useAllText();
  const shown = readableUrl(link.shortUrl);
  const slugAt = shown.lastIndexOf('/');
  const clicks = link.clicks.toLocaleString(useTranslation().locale);
  return (
    <>
      <div className={classes.columns}>
        <RowLink to="/links/$id" params={{ id: link.id }} title={link.shortUrl}>
          <span className={classes.host}>{shown.slice(0, slugAt)}</span>
          {shown.slice(slugAt)}
        </RowLink>
        <div className={rows.details} title={link.url}>
          {readableUrl(link.url)}
        </div>
        <div className={classes.number}>{links.clicked(link.clicks, clicks)}</div>
        <div className={classes.time}>
          <Time value={link.createdAt} />
        </div>
      </div>
      <CopyButton value={link.shortUrl} label={links.copyOf(link.slug)} />
    </>
  );
});
