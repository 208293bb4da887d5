import type { DeliveryDetail } from '@atrium/client';
import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { Time } from '../../ui/times/time.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';
import classes from './attempt-details.module.css';
import { durationText } from './duration.ts';

/** What an endpoint answered, how long it took, and why that was a failure. */
export function AttemptDetails({
  attempt,
}: {
  attempt: Omit<DeliveryDetail['attempts'][number], 'id' | 'number'>;
}) {
  const { attempt: texts } = useAllText().deliveries;
  const { locale } = useTranslation();
  const { status, error, durationMs, startedAt, responseHeaders, responseExcerpt } = attempt;
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Badge variant="dot" color={error === null ? 'green' : 'red'}>
          {status === null ? texts.noStatus : texts.status(status)}
        </Badge>
        <Text size="sm" c="dimmed">
          <Time value={startedAt} />
          {' · '}
          {texts.took(durationText(durationMs, locale))}
        </Text>
      </Group>
      {/* `failureText` of the dispatcher says so for a status, which the badge shows already. */}
      {error !== null && error !== `Answered ${status}` && <Text size="sm">{error}</Text>}
      {responseHeaders !== null && responseHeaders !== '' && (
        <Code block className={classes.excerpt} aria-label={texts.headers} tabIndex={0}>
          {responseHeaders}
        </Code>
      )}
      {status !== null &&
        (responseExcerpt === null || responseExcerpt === '' ? (
          <Text size="sm" c="dimmed">
            {texts.emptyAnswer}
          </Text>
        ) : (
          <Code block className={classes.excerpt} aria-label={texts.answer} tabIndex={0}>
            {responseExcerpt}
          </Code>
        ))}
    </Stack>
  );
}
