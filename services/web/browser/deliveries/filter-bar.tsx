import { EVENT_NAMES } from '@atrium/contracts/event-names';
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useProductEventTypes } from '../webhooks/use-event-types.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from './deliveries.module.css';
import { type Filters, filtersOf, isFiltered, STATES } from './filters.ts';

export function FilterBar({
  filters,
  hasWebhook,
  onChange,
}: {
  filters: Filters;
  /** Whether it can be chosen. */
  hasWebhook: boolean;
  onChange: (filters: Filters) => void;
}) {
  const { filters: texts, states } = useAllText().deliveries;
  const { data: webhooks = [] } = useWebhooks();
  const products = useProductEventTypes();
  const change = (changed: Record<string, string>) =>
    onChange(filtersOf({ ...filters, ...changed }));
  const any = { value: '', label: texts.any };
  const isKnown = webhooks.some(({ id }) => id === filters.webhook);
  const events: string[] = [...EVENT_NAMES, ...products.map(({ name }) => name)];
  const { event = '' } = filters;
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label={texts.title}>
      {hasWebhook && (
        <NativeSelect
          className={classes.field}
          label={texts.webhook}
          value={filters.webhook ?? ''}
          data={[
            any,
            // Until the webhooks are loaded.
            ...(filters.webhook === undefined || isKnown ? [] : [filters.webhook]),
            ...webhooks.map((webhook) => ({ value: webhook.id, label: webhookName(webhook) })),
          ]}
          onChange={(event) => change({ webhook: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        className={classes.field}
        label={texts.state}
        value={filters.state ?? ''}
        data={[any, ...STATES.map((value) => ({ value, label: { ...texts, ...states }[value] }))]}
        onChange={(event) => change({ state: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.field}
        label={texts.event}
        value={event}
        data={[any, ...(event === '' || events.includes(event) ? [] : [event]), ...events]}
        onChange={({ currentTarget }) => change({ event: currentTarget.value })}
      />
      <TextInput
        className={classes.field}
        type="date"
        label={texts.from}
        value={filters.from ?? ''}
        max={filters.to}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        className={classes.field}
        type="date"
        label={texts.to}
        value={filters.to ?? ''}
        min={filters.from}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
      {isFiltered(hasWebhook ? filters : { ...filters, webhook: undefined }) && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}
