import type { start as english } from '../en/start.ts';

export const start: typeof english = {
  title: 'Aufschreiben, teilen und wissen, was daraus wird',
  lead: 'Notizen im Team, Kurzlinks, die zählen, und Webhooks, die nichts verlieren, mit einem Konto.',
  developers: 'Für Entwickler',
  picture: {
    label:
      'Eine Notiz eines Arbeitsbereichs, die Klicks eines Links und die Zustellungen eines Webhooks in Atrium',
    workspace: 'Garten',
    notes: ['Pläne für den Herbst', 'Saatgut bestellen', 'Gießen'],
    text: 'Tulpen und Narzissen vor dem ersten Frost setzen.',
    tasks: ['Boden umgraben', 'Zwiebeln bestellen', 'Beete mulchen'],
    clicks: '1.204 Klicks',
    delivered: 'Zugestellt',
  },
  services: 'Dienste',
  service: 'Dienst',
  url: 'URL',
  reference: 'API-Referenz',
  names: { auth: 'Konten', notes: 'Notizen', links: 'Links', webhooks: 'Webhooks' },
  firstRequest: 'Eine erste Anfrage',
  firstRequestHint:
    'Die Antwort sind die öffentlichen Schlüssel, mit denen man Zugriffstoken prüft.',
  client: 'Der Client in zehn Zeilen',
  clientHint:
    'Er erneuert Sitzungen, wiederholt, was wiederholt werden darf, und typisiert jede Antwort.',
};
