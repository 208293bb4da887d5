import type { Delivery } from '@atrium/client';
import { Checkbox } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from './deliveries.module.css';
import { DeliveryRow, ROW_HEIGHT_PX } from './delivery-row.tsx';

const OVERSCAN_ROWS = 10;

/** Only the rows in view are in the page, so that a list of any length scrolls smoothly. */
export function DeliveryList({
  deliveries,
  selected,
  onSelect,
}: {
  deliveries: readonly Delivery[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const { deliveries: texts } = useSignedInText();
  const { data: webhooks = [] } = useWebhooks();
  const list = useRef<HTMLUListElement>(null);
  const [listTop, setListTop] = useState(0);
  useLayoutEffect(() => setListTop(list.current?.offsetTop ?? 0), []);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes these components
  const virtualizer = useWindowVirtualizer({
    count: deliveries.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    scrollMargin: listTop,
    getItemKey: (index) => deliveries[index]?.id ?? index,
  });
  const names = new Map(webhooks.map((webhook) => [webhook.id, webhookName(webhook)]));
  const toggle = (id: string) => {
    const changed = new Set(selected);
    if (!changed.delete(id)) changed.add(id);
    onSelect(changed);
  };
  const count = deliveries.filter(({ id }) => selected.has(id)).length;
  return (
    <div>
      <Checkbox
        mb="xs"
        ml={17}
        size="sm"
        label={texts.selectAll}
        checked={count === deliveries.length}
        indeterminate={count > 0 && count < deliveries.length}
        onChange={() =>
          onSelect(new Set(count === deliveries.length ? [] : deliveries.map(({ id }) => id)))
        }
      />
      <ul ref={list} className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const delivery = deliveries[index];
          return (
            delivery !== undefined && (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                webhook={names.get(delivery.webhookId) ?? delivery.webhookId}
                position={index + 1}
                total={deliveries.length}
                top={start - listTop}
                isSelected={selected.has(delivery.id)}
                onToggle={() => toggle(delivery.id)}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
