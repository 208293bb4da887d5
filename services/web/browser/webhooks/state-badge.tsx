import type { Subscription } from '@atrium/client';
import { Badge } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';

type State = keyof ReturnType<typeof useAllText>['webhooks']['states'];

const COLORS: Record<State, string> = {
  active: 'green',
  failing: 'orange',
  paused: 'gray',
  disabled: 'red',
  listener: 'indigo',
};

export function stateOf({ enabled, listener, paused, failingSince }: Subscription): State {
  if (!enabled) return 'disabled';
  if (listener) return 'listener';
  if (paused) return 'paused';
  return failingSince === null ? 'active' : 'failing';
}

/** The state of a webhook in a word and a colour. */
export function StateBadge({ webhook }: { webhook: Subscription }) {
  const { states } = useAllText().webhooks;
  const state = stateOf(webhook);
  return (
    <Badge variant="dot" color={COLORS[state]} flex="none">
      {states[state]}
    </Badge>
  );
}
