import type { Subscription } from '@atrium/client';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { Time } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DayBar } from './day-bar.tsx';
import { HealthLine } from './health-line.tsx';
import { StateBadge, stateOf } from './state-badge.tsx';
import { useHealth } from './use-health.ts';
import { readableUrl } from '../ui/urls.ts';
import { webhookName } from './webhook-name.ts';
import classes from './webhooks.module.css';

/** Where a webhook leads, and how it has done in the last day. */
export function WebhookRow({ webhook }: { webhook: Subscription }) {
  const { webhooks } = useAllText();
  const { id, url, description, events, failingSince } = webhook;
  const health = useHealth(id);
  const lastAttempt = health?.lastAttempt;
  return (
    <li className={`${rows.item} ${classes.row}`}>
      <div className={classes.about}>
        <RowLink to="/webhooks/$id" params={{ id }}>
          {webhookName(webhook)}
        </RowLink>
        <div className={rows.details}>
          {[...(description === '' ? [] : [readableUrl(url)]), events.join(', ')].join(' · ')}
        </div>
      </div>
      <div className={classes.health}>
        {lastAttempt && (
          <div>
            {lastAttempt.status === null
              ? webhooks.health.noAnswer
              : webhooks.health.lastAnswer(lastAttempt.status)}
            {' · '}
            <Time value={lastAttempt.at} />
          </div>
        )}
        {health !== undefined && health.waiting > 0 ? (
          <div>
            <HealthLine {...health} />
          </div>
        ) : (
          stateOf(webhook) === 'failing' &&
          failingSince !== null && (
            <div>
              {webhooks.firstFailure} <Time value={failingSince} />
            </div>
          )
        )}
      </div>
      <DayBar id={id} />
      <StateBadge webhook={webhook} />
    </li>
  );
}
