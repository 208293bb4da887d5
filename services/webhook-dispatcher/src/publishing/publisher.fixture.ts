import type { startHarness } from '../harness.fixture.ts';

/** An event type. */
export const PAID = {
  description: 'A customer has paid an order.',
  schema: {
    type: 'object',
    required: ['orderId'],
    properties: { orderId: { type: 'string' }, cents: { type: 'integer' } },
  },
  example: { orderId: '1', cents: 1990 },
};

/** What a product does, by the account of the harness unless another token is given. */
export function publisher({ call, database }: Awaited<ReturnType<typeof startHarness>>) {
  return {
    put: (name: string, body: object = PAID, token?: string) =>
      call(`/api/event-types/${name}`, { method: 'PUT', body, ...(token && { token }) }),
    publish: (body: object, token?: string) =>
      call('/api/events', { method: 'POST', body, ...(token && { token }) }),
    outbox: () =>
      database.query<{ id: string; event: string; accountId: string }>(
        'SELECT id, event, account_id AS "accountId" FROM outbox ORDER BY seq',
      ),
    clear: () =>
      database.query('TRUNCATE subscriptions, namespaces, published_events, outbox CASCADE'),
  };
}

export const order = (orderId = '1', more: object = {}) => ({
  type: 'shop.order_paid',
  data: { orderId },
  ...more,
});
