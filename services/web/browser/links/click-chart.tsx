import type { ClicksByDay } from '@atrium/client';
import { useTranslation } from '../texts/texts.tsx';
import classes from './links.module.css';

type Day = ClicksByDay['data'][number];

const WIDTH = 720;
const HEIGHT = 160;
/** The share of a day's width between two bars. */
const GAP = 0.25;

/** One bar for each day: people, and bots above them. */
export function ClickChart({ days, label }: { days: readonly Day[]; label: string }) {
  const { locale } = useTranslation();
  const top = Math.max(1, ...days.map(({ people, bots }) => people + bots));
  const step = WIDTH / days.length;
  const heightOf = (clicks: number) => (clicks / top) * HEIGHT;
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const dateOf = (day: Day | undefined) =>
    day === undefined ? '' : format.format(new Date(day.day));
  return (
    <figure className={classes.chart}>
      <div className={classes.top}>{new Intl.NumberFormat(locale).format(top)}</div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className={classes.bars}
      >
        {days.map(({ day, people, bots }, index) => {
          const bar = { x: (index + GAP / 2) * step, width: (1 - GAP) * step };
          const peopleTop = HEIGHT - heightOf(people);
          return (
            <g key={day}>
              <rect {...bar} y={peopleTop} height={heightOf(people)} className={classes.people} />
              <rect
                {...bar}
                y={peopleTop - heightOf(bots)}
                height={heightOf(bots)}
                className={classes.bots}
              />
            </g>
          );
        })}
      </svg>
      <figcaption className={classes.range}>
        <span>{dateOf(days[0])}</span>
        <span>{dateOf(days.at(-1))}</span>
      </figcaption>
    </figure>
  );
}
