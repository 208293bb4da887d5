import type { SignedInPage } from '../ui/page/page.ts';

export const deliveryPages: readonly SignedInPage[] = [
  {
    path: '/deliveries',
    title: (text) => text.sections.deliveries,
    load: async () => (await import('./deliveries-page.tsx')).DeliveriesPage,
  },
  {
    path: '/deliveries/$id',
    title: (text) => text.deliveries.delivery,
    load: async () => (await import('./delivery-page.tsx')).DeliveryPage,
  },
];
