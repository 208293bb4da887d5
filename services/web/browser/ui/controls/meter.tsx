import { Group, Progress, Text } from '@mantine/core';
import { useId } from 'react';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import classes from './meter.module.css';

/** Less than this share of a limit needs no warning. */
const SHOWN_FROM = 0.8;
/** More of what has no limit is not counted. */
export const COUNTED_MAX = 1000;

/** How much of one limit of the plan is used, with a bar once it is nearly full. */
export function Meter({
  label,
  used,
  limit,
  format,
}: {
  label: string;
  used: number;
  /** Infinity when there is none. */
  limit: number;
  /** Shows a number, when it is not a count. */
  format?: (value: number) => string;
}) {
  const { locale } = useTranslation();
  const { plan } = useSignedInText();
  const labelId = useId();
  const numbers = new Intl.NumberFormat(locale);
  const show = format ?? ((value: number) => numbers.format(value));
  const most = used >= COUNTED_MAX ? `${show(COUNTED_MAX)}+` : show(used);
  const isLimited = Number.isFinite(limit);
  const isFull = used >= limit;
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
        <Text size="sm" id={labelId} className={classes.value}>
          {label}
        </Text>
        <Text size="sm" c="dimmed" className={classes.figure}>
          {isLimited ? plan.ofLimit(show(used), show(limit)) : plan.unlimited(most)}
        </Text>
      </Group>
      {used >= limit * SHOWN_FROM && (
        <Progress.Root size="sm" mt={4}>
          <Progress.Section
            value={Math.min(100, (used / limit) * 100)}
            aria-labelledby={labelId}
            {...(isFull && { color: 'red' })}
          />
        </Progress.Root>
      )}
      {isFull && (
        <Text size="sm" c="red">
          {plan.atLimit}
        </Text>
      )}
    </div>
  );
}
