import type { EventNamespace } from '@atrium/client';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { TextLink } from '../../ui/controls/links.tsx';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import rows from '../../ui/lists/rows.module.css';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { operator } from '../operator.ts';
import { TrustDialog } from './trust-dialog.tsx';

const PAGE_SIZE = 100;

/** The products that publish events, and which of them may do so to every account. */
export function ProductsPage() {
  const { products } = useAllText().operator;
  const [changed, setChanged] = useState<EventNamespace>();
  const list = useList(queryKeys.operator.products, (page, options) =>
    operator.listEventNamespaces({ ...page, limit: PAGE_SIZE }, options),
  );
  return (
    <OperatorPage title={products.title} explanation={products.explanation}>
      <Loaded query={list} skeleton={<RowsSkeleton rows={3} height={64} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={products.none} />
          ) : (
            <>
              <ul className={rows.list}>
                {data.map((product) => (
                  <li key={product.name} className={rows.item}>
                    <Product product={product} onChange={() => setChanged(product)} />
                  </li>
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
      {changed !== undefined && (
        <TrustDialog product={changed} onClose={() => setChanged(undefined)} />
      )}
    </OperatorPage>
  );
}

function Product({ product, onChange }: { product: EventNamespace; onChange: () => void }) {
  const { products } = useAllText().operator;
  const { name, accountId, trustedApplicationId } = product;
  return (
    <Group justify="space-between" wrap="nowrap">
      <div className={rows.about}>
        <div>{products.events(name)}</div>
        <div className={rows.details}>
          {trustedApplicationId === null
            ? products.ownAccountOnly
            : products.everybody(trustedApplicationId)}
        </div>
      </div>
      <TextLink to="/operator/accounts/$id" params={{ id: accountId }} size="sm">
        {products.owner}
      </TextLink>
      <Button variant="default" size="compact-sm" onClick={onChange}>
        {products.change(name)}
      </Button>
    </Group>
  );
}
