import type { AuditEvent } from '@atrium/client';
import { AccordionChevron, Collapse, Group, Text, UnstyledButton } from '@mantine/core';
import { memo, type ReactNode, useId } from 'react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { LIST_ROW, moveInList } from '../../ui/lists/list-keys.ts';
import { ExactTime, Time } from '../../ui/times/time.tsx';
import type { AllTexts } from '../../texts/signed-in-texts.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import rowClasses from './event-row.module.css';

export const ROW_HEIGHT_PX = 71;

/** One event; its details open below it. */
export const EventRow = memo(function EventRow({
  event,
  isOpen,
  onToggle,
}: {
  event: AuditEvent;
  isOpen: boolean;
  onToggle: (id: string) => void;
}) {
  const { activity, sessions } = useAllText().account;
  const detailsId = useId();
  const { details } = activity;
  return (
    <>
      <UnstyledButton
        {...LIST_ROW}
        className={rowClasses.summary}
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={() => onToggle(event.id)}
        onKeyDown={(key) => {
          if (key.key === 'Escape' && isOpen) onToggle(event.id);
          else moveInList(key);
        }}
      >
        <Group justify="space-between" gap="xs">
          <Text fw={500}>{kindText(event, activity)}</Text>
          <Group gap="xs" c="dimmed">
            <Text size="sm">
              <Time value={event.createdAt} />
            </Text>
            <AccordionChevron className={rowClasses.chevron} />
          </Group>
        </Group>
        <Text size="sm" c="dimmed">
          {sourceText(event, activity, sessions.device)}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={detailsId} transitionDuration={0}>
        <dl className={rowClasses.details}>
          <Detail label={details.time}>
            <ExactTime value={event.createdAt} />
          </Detail>
          {event.ipAddress !== null && <Detail label={details.ipAddress}>{event.ipAddress}</Detail>}
          {event.requestId !== null && (
            <Detail label={details.request}>
              {event.requestId} <CopyButton value={event.requestId} label={activity.copyRequest} />
            </Detail>
          )}
        </dl>
      </Collapse>
    </>
  );
});

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Where it came from; for what operators did, why. */
function sourceText(
  { data, userAgent, ipAddress }: AuditEvent,
  activity: AllTexts['account']['activity'],
  name: AllTexts['account']['sessions']['device'],
): string {
  const { reason } = data;
  // Failed logins have one too, for the log.
  if (userAgent === null && typeof reason === 'string') return activity.reason(reason);
  const device =
    userAgent === null ? activity.unknownDevice : name(userAgent.browser, userAgent.os);
  return [device, ipAddress].filter((part) => part !== null).join(' · ');
}

/** What happened, with the factor that it is about; a kind that is new to these pages by its own name. */
function kindText({ kind, data }: AuditEvent, activity: AllTexts['account']['activity']): string {
  const kinds: Record<string, string> = activity.kinds;
  const factors: Record<string, string> = activity.factors;
  const factor = factors[String(data['factor'])];
  const name = data['name'];
  const about = typeof name === 'string' ? name : factor;
  const text = kinds[kind] ?? kind;
  return about === undefined ? text : `${text}: ${about}`;
}
