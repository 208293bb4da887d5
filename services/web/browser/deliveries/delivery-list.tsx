import type { Delivery } from '@atrium/client';
import { type Dispatch, type SetStateAction, useCallback } from 'react';
import { useNarrow } from '../ui/use-narrow.ts';
import { toggled } from '../ui/lists/toggled.ts';
import { VirtualList } from '../ui/lists/virtual-list.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import classes from './deliveries.module.css';
import { useResend } from './use-resend.ts';
import { DeliveryRow, ROW_HEIGHT_PX } from './delivery-row.tsx';

export function DeliveryList({
  deliveries,
  hasWebhook,
  onBeside,
  chosenId,
  selected,
  onSelect,
}: {
  deliveries: readonly Delivery[];
  /** Whether rows name their webhook. */
  hasWebhook: boolean;
  /** Called when the keyboard has opened a row beside the list; without it, rows open on a page. */
  onBeside: (() => void) | undefined;
  chosenId: unknown;
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
  const resend = useResend();
  const isTwoLines = useNarrow() || onBeside !== undefined;
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
      <VirtualList
        items={deliveries}
        rowHeightPx={isTwoLines ? ROW_HEIGHT_PX.twoLines : ROW_HEIGHT_PX.oneLine}
      >
        {(delivery) => (
          <DeliveryRow
            delivery={delivery}
            webhook={names.get(delivery.webhookId) ?? delivery.webhookId}
            hasWebhook={hasWebhook}
            isTwoLines={isTwoLines}
            onBeside={onBeside}
            isChosen={delivery.id === chosenId}
            isSelected={selected.has(delivery.id)}
            onToggle={toggle}
            onResend={resend}
          />
        )}
      </VirtualList>
    </div>
  );
}
