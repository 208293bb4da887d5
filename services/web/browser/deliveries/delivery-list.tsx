import type { Delivery } from '@atrium/client';
import { type Dispatch, type SetStateAction, useCallback } from 'react';
import { toggled } from '../ui/lists/toggled.ts';
import { VirtualList } from '../ui/lists/virtual-list.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from './deliveries.module.css';
import { DeliveryRow, ROW_HEIGHT_PX } from './delivery-row.tsx';

export function DeliveryList({
  deliveries,
  selected,
  onSelect,
}: {
  deliveries: readonly Delivery[];
  selected: ReadonlySet<string>;
  onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
}) {
  const { deliveries: texts } = useAllText();
  const { data: webhooks = [] } = useWebhooks();
  const names = new Map(webhooks.map((webhook) => [webhook.id, webhookName(webhook)]));
  const toggle = useCallback(
    (id: string) => onSelect((current) => toggled(current, id)),
    [onSelect],
  );
  const count = deliveries.filter(({ id }) => selected.has(id)).length;
  return (
    <div>
      <label className={classes.all}>
        <input
          ref={(box) => {
            if (box !== null) box.indeterminate = count > 0 && count < deliveries.length;
          }}
          type="checkbox"
          className={classes.box}
          checked={count === deliveries.length}
          onChange={() =>
            onSelect(new Set(count === deliveries.length ? [] : deliveries.map(({ id }) => id)))
          }
        />
        {texts.selectAll}
      </label>
      <VirtualList items={deliveries} rowHeightPx={ROW_HEIGHT_PX}>
        {(delivery) => (
          <DeliveryRow
            delivery={delivery}
            webhook={names.get(delivery.webhookId) ?? delivery.webhookId}
            isSelected={selected.has(delivery.id)}
            onToggle={toggle}
          />
        )}
      </VirtualList>
    </div>
  );
}
