import { Badge, Button, Group } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';
import type { LiveDeliveries } from './use-live-deliveries.ts';

const COLORS = { connecting: 'gray', on: 'green', off: 'gray', refused: 'red' };

/** Whether new deliveries appear by themselves, and how many wait to be seen. */
export function LiveControl({ live }: { live: LiveDeliveries }) {
  const { live: texts } = useAllText().deliveries;
  const { status, held, setPaused, showHeld } = live;
  const isStopped = status === 'off' || status === 'refused';
  return (
    <Group gap="xs" role="group" aria-label={texts.label}>
      {held.length > 0 && <Button onClick={showHeld}>{texts.show(held.length)}</Button>}
      <Badge variant="dot" color={COLORS[status]} role="status">
        {texts[status]}
      </Badge>
      <Button variant="default" onClick={() => setPaused(!isStopped)}>
        {isStopped ? texts.resume : texts.pause}
      </Button>
    </Group>
  );
}
