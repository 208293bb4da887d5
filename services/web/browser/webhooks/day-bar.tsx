import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import classes from './webhooks.module.css';

/** How the attempts of the last 24 hours went: an hour is green, red, both or neither. */
export function DayBar({ id }: { id: string }) {
  const { day } = useAllText().webhooks;
  const { locale } = useTranslation();
  const { data } = useQuery({
    queryKey: queryKeys.webhooks.statistics(id, 'hour'),
    queryFn: ({ signal }) =>
      atrium.webhooks.getWebhookStatistics(id, { interval: 'hour' }, { signal }),
  });
  if (data === undefined) return <span className={classes.day} />;
  const { buckets } = data;
  const attempts = buckets.reduce((total, bucket) => total + bucket.attempts, 0);
  const succeeded = buckets.reduce((total, bucket) => total + bucket.succeeded, 0);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const label =
    attempts === 0
      ? day.none
      : day.succeeded(share.format(succeeded / attempts), attempts.toLocaleString(locale));
  return (
    <span className={classes.day} role="img" aria-label={label} title={label}>
      {buckets.map((bucket) => (
        <span
          key={bucket.startsAt}
          data-result={
            bucket.attempts === 0
              ? 'none'
              : bucket.succeeded === bucket.attempts
                ? 'good'
                : bucket.succeeded === 0
                  ? 'bad'
                  : 'mixed'
          }
        />
      ))}
    </span>
  );
}
