import type { Delivery } from '@atrium/client';
import { Checkbox, Text } from '@mantine/core';
import { memo } from 'react';
import { LIST_ROW, moveInList } from '../frame/list-keys.ts';
import { TextLink } from '../frame/links.tsx';
import { Time } from '../frame/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './deliveries.module.css';
import { NextAttempt } from './next-attempt.tsx';
import { DeliveryStateBadge } from './state-badge.tsx';

export const ROW_HEIGHT_PX = 68;

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
      <Checkbox
        size="sm"
        aria-label={deliveries.select(`${event}, ${webhook}`)}
        checked={isSelected}
        onChange={() => onToggle(id)}
      />
      <div className={classes.about}>
        <TextLink
          to="/deliveries/$id"
          params={{ id }}
          fw={600}
          c="var(--mantine-color-text)"
          display="block"
          truncate
          onKeyDown={moveInList}
          {...LIST_ROW}
        >
          {event}
        </TextLink>
        <Text size="sm" c="dimmed" truncate>
          <Time value={createdAt} />
          {` · ${webhook} · ${attemptCount === 0 ? deliveries.noAttempts : deliveries.attempts(attemptCount)}`}
          {state === 'failed' && nextAttemptAt !== null && (
            <>
              {`, ${deliveries.nextAttempt} `}
              <NextAttempt at={nextAttemptAt} />
            </>
          )}
        </Text>
      </div>
      <DeliveryStateBadge state={state} />
    </>
  );
});
