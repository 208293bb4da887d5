import { Tooltip } from '@mantine/core';

const DELAY_MS = 300;

/** What a control means or waits for, beside it. */
export function Hint({ target, label }: { target: HTMLElement; label: string }) {
  return (
    <Tooltip opened target={target} label={label} transitionProps={{ enterDelay: DELAY_MS }} />
  );
}
