import type { Link } from '@atrium/client';
import { Text } from '@mantine/core';
import { memo } from 'react';
import { CopyButton } from '../frame/copy-button.tsx';
import { TextLink } from '../frame/links.tsx';
import { LIST_ROW, moveInList } from '../frame/list-keys.ts';
import { Time } from '../frame/time.tsx';
import { localeOf } from '../frame/time-text.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { readableAddress } from './address.ts';
import classes from './links.module.css';

export const ROW_HEIGHT_PX = 92;

export const LinkRow = memo(function LinkRow({ link }: { link: Link }) {
  const { links } = useAllText();
  const clicks = link.clicks.toLocaleString(localeOf(useTranslation().language));
  return (
    <>
      <div className={classes.about}>
        <TextLink
          to="/links/$id"
          params={{ id: link.id }}
          title={link.shortUrl}
          display="block"
          fw={600}
          truncate
          onKeyDown={moveInList}
          {...LIST_ROW}
        >
          {readableAddress(link.shortUrl)}
        </TextLink>
        <Text size="sm" truncate title={link.url}>
          {readableAddress(link.url)}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {links.clicked(link.clicks, clicks)}
          {' · '}
          <Time value={link.createdAt} />
        </Text>
      </div>
      <CopyButton value={link.shortUrl} label={links.copyOf(link.slug)} />
    </>
  );
});
