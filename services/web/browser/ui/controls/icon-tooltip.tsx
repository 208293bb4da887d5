import { Tooltip } from '@mantine/core';

const DELAY_MS = 300;

/** What a sign means, beside it. */
export function IconTooltip({ target, label }: { target: HTMLElement; label: string }) {
  return (
    <Tooltip opened target={target} label={label} transitionProps={{ enterDelay: DELAY_MS }} />
  );
}
