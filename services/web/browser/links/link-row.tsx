import type { Link } from '@atrium/client';
import { memo } from 'react';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { Time } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { readableAddress } from '../ui/address.ts';

export const ROW_HEIGHT_PX = 92;

export const LinkRow = memo(function LinkRow({ link }: { link: Link }) {
  const { links } = useAllText();
  const clicks = link.clicks.toLocaleString(useTranslation().locale);
  return (
    <>
      <div className={rows.about}>
        <RowLink to="/links/$id" params={{ id: link.id }} title={link.shortUrl}>
          {readableAddress(link.shortUrl)}
        </RowLink>
        <div className={rows.line} title={link.url}>
          {readableAddress(link.url)}
        </div>
        <div className={rows.details}>
          {links.clicked(link.clicks, clicks)}
          {' · '}
          <Time value={link.createdAt} />
        </div>
      </div>
      <CopyButton value={link.shortUrl} label={links.copyOf(link.slug)} />
    </>
  );
});
