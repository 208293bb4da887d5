import type { Delivery } from '@atrium/client';
import { Badge } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';

const COLORS: Record<Delivery['state'], string> = {
  pending: 'gray',
  failed: 'orange',
  delivered: 'green',
  exhausted: 'red',
};

/** The state of a delivery in a word and a colour. */
export function DeliveryStateBadge({ state }: Pick<Delivery, 'state'>) {
  return (
    <Badge variant="dot" color={COLORS[state]} flex="none">
      {useAllText().deliveries.states[state]}
    </Badge>
  );
}
