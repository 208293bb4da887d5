import type { OtherPageTexts } from '../en/other-pages.ts';

export const portal: OtherPageTexts['portal'] = {
  of: (product) => `Webhooks von ${product}`,
  explanation: (product) => `${product} sendet die Ereignisse, die du wählst, an deinen Server.`,
  empty: 'Ein Webhook sendet Ereignisse an eine URL von dir, sobald sie geschehen.',
  ended: 'Dieser Link ist abgelaufen',
  endedWhy:
    'Er gilt eine Stunde und nicht über ein Neuladen hinaus. Öffne ihn dort neu, wo du ihn fandest.',
  deliveries: 'Zustellungen',
  noDeliveries: 'Noch wurde nichts gesendet. Ein Testereignis zeigt, wie es geht.',
  settings: {
    title: 'Portal für Kunden',
    hint: 'Dein Produkt öffnet einem Kunden seine Webhooks durch einen Link, der eine Stunde gilt. Er sieht nur Ereignisse des Produkts.',
    none: 'Es beginnt mit einem Ereignistyp: Registriere zuerst einen.',
    product: 'Produkt',
    name: 'Name',
    colour: 'Farbe',
    colourHint: 'Der wichtigsten Knöpfe, etwa #0a6847; leer für die von Atrium',
    colourInvalid: 'Gib eine Farbe wie #0a6847 ein',
    origins: 'Seiten, die es einbetten dürfen',
    originsHint: 'Ursprünge wie https://app.example.com, je Zeile einer, höchstens zehn',
    originsInvalid: 'Gib höchstens zehn Ursprünge wie https://app.example.com ein, ohne Pfad',
    save: 'Portal speichern',
    saved: 'Portal gespeichert',
    logoFailed:
      'Das Logo ist geändert, aber nicht in jedem Portal. Speichere jedes Portal noch einmal.',
  },
};
