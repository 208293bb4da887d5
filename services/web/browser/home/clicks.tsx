import type { ClicksOverview } from '@atrium/client';
import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { ClickChart } from '../links/click-chart.tsx';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { FirstLink } from './first-link.tsx';
import classes from './home.module.css';

/** The clicks of the last days and the links that had most of them, or a field for the first link. */
export function Clicks({
  query,
}: {
  query: UseQueryResult<ClicksOverview & { linkCount: number }>;
}) {
  const { home } = useAllText();
  if (query.data?.linkCount === 0) {
    return (
      <Section title={home.links.firstTitle} hint={home.links.empty}>
        <FirstLink />
      </Section>
    );
  }
  return (
    <Section
      title={home.links.title}
      action={
        <ButtonLink to="/links" variant="default" size="xs">
          {home.links.all}
        </ButtonLink>
      }
    >
      <Loaded query={query} skeleton={null}>
        {(clicks) => <Overview clicks={clicks} />}
      </Loaded>
    </Section>
  );
}

function Overview({ clicks: { data, best } }: { clicks: ClicksOverview }) {
  const { home, links } = useAllText();
  const number = new Intl.NumberFormat(useTranslation().locale);
  const people = data.reduce((sum, day) => sum + day.people, 0);
  if (best.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {home.links.none}
      </Text>
    );
  }
  const counted = links.clicked(people, number.format(people));
  return (
    <div className={classes.clicks}>
      <div>
        <p className={classes.figure}>{counted}</p>
        {/* Bots are in no figure of this page. */}
        <ClickChart
          days={data.map((day) => ({ ...day, bots: 0 }))}
          label={`${home.links.title}: ${counted}`}
        />
      </div>
      <ul className={classes.list}>
        {best.map(({ id, slug, people: clicked }) => (
          <li key={id} className={`${rows.item} ${classes.item}`}>
            <RowLink to="/links/$id" params={{ id }}>
              {slug}
            </RowLink>
            <span className={classes.details}>
              {links.clicked(clicked, number.format(clicked))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
