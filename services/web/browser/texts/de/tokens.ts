import type { OtherPageTexts } from '../en/other-pages.ts';

export const tokens: OtherPageTexts['tokens'] = {
  title: 'Zugriffstoken',
  explanation:
    'Ein Programm sendet eines statt deines Passworts. Wie du dich anmeldest, kann es nicht ändern: Passwort, Faktoren, E-Mail.',
  none: 'Mit einem Token kann ein Skript deine Notizen, Links und Webhooks verwenden.',
  create: 'Neues Token',
  name: 'Name',
  nameHint: 'Was es verwendet, etwa „Nächtliche Sicherung“',
  scopesLabel: 'Was es darf',
  scopesRequired: 'Wähle, was es darf',
  scopes: {
    'account:read': 'Dein Profil, deine E-Mail-Adresse und deinen Tarif sehen',
    'notes:read': 'Deine Notizen und Arbeitsbereiche lesen',
    'notes:write': 'Notizen und Arbeitsbereiche schreiben, teilen und löschen',
    'links:read': 'Deine Links und ihre Klicks sehen',
    'links:write': 'Links anlegen, ändern und löschen',
    'webhooks:read': 'Deine Webhooks und Zustellungen sehen',
    'webhooks:write': 'Webhooks anlegen, ändern und löschen, Zustellungen wiederholen',
    'events:publish': 'Ereignisse deiner Produkte veröffentlichen und ihre Arten anlegen',
  },
  lifetime: 'Läuft ab in',
  days: (days) => (days === 365 ? '1 Jahr' : `${days} Tagen`),
  submit: 'Token anlegen',
  shownTitle: 'Dein neues Token',
  shownHint:
    'Kopiere es jetzt. Es wird nicht wieder gezeigt; ein verlorenes ersetzt du durch ein neues.',
  copy: 'Token kopieren',
  done: 'Fertig',
  expires: 'Läuft ab',
  lastUsed: 'Zuletzt verwendet',
  neverUsed: 'Nie verwendet',
  revoke: 'Widerrufen',
  revokeOf: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeExplanation:
    'Was es verwendet, wird ab jetzt abgewiesen. Das lässt sich nicht rückgängig machen.',
  revoked: (name) => `${name} ist widerrufen`,
};
