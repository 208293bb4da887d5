import type { Delivery } from '@atrium/client';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './state-badge.module.css';

/** The state of a delivery in a word and a colour. */
export function DeliveryStateBadge({ state }: Pick<Delivery, 'state'>) {
  return (
    <span className={`${classes.badge} ${classes[state]}`}>
      {useAllText().deliveries.states[state]}
    </span>
  );
}
