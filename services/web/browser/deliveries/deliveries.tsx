import type { Delivery } from '@atrium/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { CopyAs } from '../ui/controls/copy-as.tsx';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { ListEnd } from '../ui/lists/list-end.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { useList } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { BulkBar } from './bulk-bar.tsx';
import classes from './deliveries.module.css';
import { DeliveryBeside } from './delivery-details.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, filtersOf, isFiltered, toQuery } from './filters.ts';
import { LiveControl } from './live-control.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { useLiveDeliveries } from './use-live-deliveries.ts';

const PAGE_SIZE = 50;
/** Where a delivery has room beside the list. */
const BESIDE = '(min-width: 75em)';

/**
 * The deliveries of all webhooks, or of one, as they happen. The URL has the filters, and the delivery that
 * shows beside the list where there is room.
 */
export function Deliveries({ webhookId }: { webhookId?: string }) {
  const { deliveries, webhooks: webhookTexts } = useAllText();
  const { emailVerified } = useUser();
  const navigate = useNavigate();
  const search = useLocation({ select: (location): object => location.search });
  const filters = filtersOf({ ...search, ...(webhookId !== undefined && { webhook: webhookId }) });
  const isWide = useMediaQuery(BESIDE, false, { getInitialValueInEffect: false });
  const chosenId: unknown = Reflect.get(search, 'delivery');
  const queryKey = queryKeys.deliveries.list(filters);
  const list = useList(queryKey, (query, options) =>
    atrium.webhooks.listDeliveries({ ...toQuery(filters), ...query, limit: PAGE_SIZE }, options),
  );
  const { data: webhooks = [] } = useWebhooks();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const live = useLiveDeliveries(filters, queryKey, selected.size > 0);
  const beside = useRef<HTMLElement>(null);
  const goBeside = useCallback(() => beside.current?.focus(), []);
  const [isRecovering, setRecovering] = useState(false);
  const setFilters = ({ webhook, ...changed }: Filters) => {
    setSelected(new Set());
    const shown = webhookId === undefined ? { webhook, ...changed } : changed;
    void navigate({ to: '.', search: () => shown, replace: true, resetScroll: false });
  };
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">{emailVerified && <LiveControl live={live} />}</Group>
        <Group gap="sm">
          <CopyFilters filters={filters} />
          {webhooks.length > 0 && (
            <Button variant="default" onClick={() => setRecovering(true)}>
              {deliveries.recover.open}
            </Button>
          )}
        </Group>
      </Group>
      <VerifyEmailNotice why={webhookTexts.verifyFirst} />
      <FilterBar filters={filters} hasWebhook={webhookId === undefined} onChange={setFilters} />
      <div className={classes.split} data-beside={isWide}>
        <div>
          <Loaded query={list} skeleton={<RowsSkeleton rows={8} height={36} />}>
            {(data) =>
              data.length === 0 ? (
                <NoDeliveries
                  isFiltered={isFiltered({ ...filters, webhook: undefined })}
                  hasMore={list.hasMore}
                />
              ) : (
                <DeliveryList
                  deliveries={data}
                  hasWebhook={webhookId === undefined}
                  onBeside={isWide ? goBeside : undefined}
                  chosenId={chosenId}
                  selected={selected}
                  onSelect={setSelected}
                />
              )
            }
          </Loaded>
          {list.data !== undefined && (list.data.length > 0 || list.hasMore) && (
            <ListEnd list={list} />
          )}
        </div>
        {isWide && list.data !== undefined && list.data.length > 0 && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leads back to the list
          <aside
            ref={beside}
            className={classes.beside}
            aria-label={deliveries.delivery}
            tabIndex={-1}
            onKeyDown={({ key }) => {
              if (key === 'Escape') focusChosenRow();
            }}
          >
            {typeof chosenId === 'string' ? (
              <DeliveryBeside key={chosenId} id={chosenId} />
            ) : (
              <Text size="sm" c="dimmed">
                {deliveries.choose}
              </Text>
            )}
          </aside>
        )}
      </div>
      <BulkBar deliveries={pick(list.data ?? [], selected)} onSelect={setSelected} />
      {isRecovering && (
        <RecoverDialog webhookId={filters.webhook} onClose={() => setRecovering(false)} />
      )}
    </Stack>
  );
}

function focusChosenRow(): void {
  document.querySelector<HTMLElement>('[data-chosen=true] a')?.focus();
}

function CopyFilters({ filters }: { filters: Filters }) {
  const query = JSON.parse(JSON.stringify(toQuery(filters))) as Record<string, string>;
  const code = `const { data } = await atrium.webhooks.listDeliveries(${JSON.stringify(query)});`;
  const url = `${serviceUrls.webhooks}/api/deliveries?${new URLSearchParams(query).toString()}`;
  return <CopyAs method="GET" url={url} code={code} />;
}

function NoDeliveries({
  isFiltered: hasFilter,
  hasMore,
}: {
  isFiltered: boolean;
  hasMore: boolean;
}) {
  const { deliveries } = useAllText();
  if (hasMore) return <EmptyList text={deliveries.searching} />;
  if (hasFilter) return <EmptyList text={deliveries.nothingFound} />;
  return (
    <EmptyList text={deliveries.empty}>
      <ButtonLink to="/webhooks" variant="default">
        {deliveries.toWebhooks}
      </ButtonLink>
    </EmptyList>
  );
}

function pick(deliveries: readonly Delivery[], selected: ReadonlySet<string>): Delivery[] {
  return deliveries.filter(({ id }) => selected.has(id));
}
