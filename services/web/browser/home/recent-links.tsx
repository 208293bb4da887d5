import type { Link } from '@atrium/client';
import { Text } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { LIST_ROW, moveInList } from '../ui/lists/list-keys.ts';
import { TextLink } from '../ui/controls/links.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { CreateFirstButton } from './create-first-button.tsx';
import classes from './home.module.css';
import { RecentSection } from './recent-section.tsx';

const SHOWN_MAX = 5;

export function useRecentLinks() {
  return useQuery({
    queryKey: queryKeys.links.recent,
    queryFn: async ({ signal }) =>
      (await atrium.links.listLinks({ limit: SHOWN_MAX }, { signal })).data,
  });
}

/** The newest links and how often they were clicked. */
export function RecentLinks({ query }: { query: UseQueryResult<Link[]> }) {
  const { home, links } = useAllText();
  const { locale } = useTranslation();
  return (
    <RecentSection
      texts={home.links}
      to="/links"
      query={query}
      emptyAction={<CreateFirstButton to="/links">{links.new}</CreateFirstButton>}
    >
      {({ id, slug, clicks }) => (
        <li key={id} className={classes.item}>
          <TextLink
            to="/links/$id"
            params={{ id }}
            size="sm"
            truncate
            className={classes.name}
            onKeyDown={moveInList}
            {...LIST_ROW}
          >
            {slug}
          </TextLink>
          <Text size="sm" c="dimmed" className={classes.details}>
            {links.clicked(clicks, clicks.toLocaleString(locale))}
          </Text>
        </li>
      )}
    </RecentSection>
  );
}
