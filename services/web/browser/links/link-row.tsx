import type { Link } from '@atrium/client';
import { Group, Text } from '@mantine/core';
import classes from '../frame/rows.module.css';
import { CopyButton } from '../frame/copy-button.tsx';
import { TextLink } from '../frame/links.tsx';
import { LIST_ROW, moveInList } from '../frame/list-keys.ts';
import { Time } from '../frame/time.tsx';
import { localeOf } from '../frame/time-text.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { readableAddress } from './address.ts';
import linkClasses from './links.module.css';

export function LinkRow({ link }: { link: Link }) {
  const text = useSignedInText();
  const { language } = useTranslation();
  const { links } = text;
  const clicks = new Intl.NumberFormat(localeOf(language)).format(link.clicks);
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <div className={linkClasses.about}>
          <TextLink
            to="/links/$id"
            params={{ id: link.id }}
            fw={600}
            {...LIST_ROW}
            onKeyDown={moveInList}
          >
            {readableAddress(link.shortUrl)}
          </TextLink>
          <Text size="sm" truncate title={link.url}>
            {readableAddress(link.url)}
          </Text>
          <Text size="sm" c="dimmed">
            {links.clicked(link.clicks, clicks)}
            {' · '}
            <Time value={link.createdAt} />
          </Text>
        </div>
        <CopyButton value={link.shortUrl} label={links.copyOf(link.slug)} />
      </Group>
    </li>
  );
}
