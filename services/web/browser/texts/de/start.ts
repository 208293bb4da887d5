import type { start as english } from '../en/start.ts';

export const start: typeof english = {
  title: 'Ein Konto für jedes Produkt',
  lead: 'Konten, Notizen, Kurzlinks und signierte Webhooks, die nichts verlieren, hinter vier einfachen HTTP-APIs.',
  services: 'Dienste',
  service: 'Dienst',
  address: 'Adresse',
  reference: 'API-Referenz',
  names: { auth: 'Konten', notes: 'Notizen', links: 'Links', webhooks: 'Webhooks' },
  firstRequest: 'Eine erste Anfrage',
  firstRequestHint:
    'Die Antwort sind die öffentlichen Schlüssel, mit denen man Zugriffstoken prüft.',
  client: 'Der Client in zehn Zeilen',
  clientHint:
    'Er erneuert Sitzungen, wiederholt, was wiederholt werden darf, und typisiert jede Antwort.',
};
