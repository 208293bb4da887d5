import type { Delivery } from '@atrium/client';
import { memo } from 'react';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { Time } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './deliveries.module.css';
import { NextAttempt } from './next-attempt.tsx';
import { DeliveryStateBadge } from './state-badge.tsx';

export const ROW_HEIGHT_PX = 76;

export const DeliveryRow = memo(function DeliveryRow({
  delivery,
  webhook,
  isSelected,
  onToggle,
}: {
  delivery: Delivery;
  webhook: string;
  isSelected: boolean;
  onToggle: (id: string) => void;
}) {
  const { deliveries } = useAllText();
  const { id, event, state, attemptCount, nextAttemptAt, createdAt } = delivery;
  return (
    <>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={deliveries.select(`${event}, ${webhook}`)}
        checked={isSelected}
        onChange={() => onToggle(id)}
      />
      <div className={rows.about}>
        <RowLink to="/deliveries/$id" params={{ id }}>
          {event}
        </RowLink>
        <div className={classes.details}>
          <div className={rows.details}>
            <Time value={createdAt} />
            {` · ${webhook}`}
          </div>
          <div className={rows.details}>
            <span className={classes.separator}>{'\u00A0· '}</span>
            {attemptCount === 0 ? deliveries.noAttempts : deliveries.attempts(attemptCount)}
            {state === 'failed' && nextAttemptAt !== null && (
              <>
                {`, ${deliveries.nextAttempt} `}
                <NextAttempt at={nextAttemptAt} />
              </>
            )}
          </div>
        </div>
      </div>
      <DeliveryStateBadge state={state} />
    </>
  );
});
