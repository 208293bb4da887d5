import type { Delivery } from '@atrium/client';
import { memo, type KeyboardEvent } from 'react';
import { RowLink } from '../ui/lists/row-link.tsx';
import { Time } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { durationText } from '../webhooks/attempts/duration.ts';
import classes from './deliveries.module.css';
import { NextAttempt } from './next-attempt.tsx';
import { DeliveryStateBadge } from './state-badge.tsx';

export const ROW_HEIGHT_PX = { oneLine: 36, twoLines: 56 };

export const DeliveryRow = memo(function DeliveryRow({
  delivery,
  webhook,
  hasWebhook,
  isTwoLines,
  onBeside,
  isChosen,
  isSelected,
  onToggle,
  onResend,
}: {
  delivery: Delivery;
  webhook: string;
  hasWebhook: boolean;
  isTwoLines: boolean;
  onBeside: (() => void) | undefined;
  isChosen: boolean;
  isSelected: boolean;
  onToggle: (id: string) => void;
  onResend: (delivery: Delivery) => void;
}) {
  const { deliveries } = useAllText();
  const { locale } = useTranslation();
  const { id, event, state, attemptCount, nextAttemptAt, lastAttempt, createdAt } = delivery;
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (key === 'r' && !ctrlKey && !metaKey && !altKey) onResend(delivery);
  };
  return (
    <div className={classes.row} data-chosen={isChosen} data-two-lines={isTwoLines}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={deliveries.select(`${event}, ${webhook}`)}
        checked={isSelected}
        onChange={() => onToggle(id)}
      />
      <span className={classes.state}>
        <DeliveryStateBadge state={state} />
      </span>
      <span className={classes.status}>{lastAttempt?.status ?? '–'}</span>
      {onBeside !== undefined ? (
        <RowLink
          to="."
          search={(search: object) => ({ ...search, delivery: id })}
          resetScroll={false}
          aria-current={isChosen}
          onKeyDown={onKeyDown}
          // A click of the keyboard has no count of clicks.
          onClick={({ detail }) => {
            if (detail === 0) onBeside();
          }}
        >
          {event}
        </RowLink>
      ) : (
        <RowLink to="/deliveries/$id" params={{ id }} onKeyDown={onKeyDown}>
          {event}
        </RowLink>
      )}
      <span className={classes.details}>
        {hasWebhook && `${webhook} · `}
        {attemptCount === 0 ? deliveries.noAttempts : deliveries.attempts(attemptCount)}
        {state === 'failed' && nextAttemptAt !== null && (
          <>
            {`, ${deliveries.nextAttempt} `}
            <NextAttempt at={nextAttemptAt} />
          </>
        )}
      </span>
      <span className={classes.figure}>
        {lastAttempt !== null && durationText(lastAttempt.durationMs, locale)}
      </span>
      <span className={classes.time}>
        <Time value={createdAt} />
      </span>
    </div>
  );
});
