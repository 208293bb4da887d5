import type { SignedInPage } from '../ui/page/page.ts';

export const operatorPages: readonly SignedInPage[] = [
  {
    path: '/operator',
    title: (text) => text.operator.overview.title,
    load: async () => (await import('./overview/overview-page.tsx')).OverviewPage,
  },
  {
    path: '/operator/accounts',
    title: (text) => text.operator.accounts.title,
    load: async () => (await import('./accounts/accounts-page.tsx')).AccountsPage,
  },
  {
    path: '/operator/accounts/$id',
    title: (text) => text.operator.accounts.one,
    load: async () => (await import('./accounts/account-page.tsx')).AccountPage,
  },
  {
    path: '/operator/imports',
    title: (text) => text.operator.imports.title,
    load: async () => (await import('./imports/imports-page.tsx')).ImportsPage,
  },
  {
    path: '/operator/products',
    title: (text) => text.operator.products.title,
    load: async () => (await import('./products/products-page.tsx')).ProductsPage,
  },
];
