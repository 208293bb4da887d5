import type { controls as english } from '../en/controls.ts';
import { inGerman } from './numbers.ts';

export const controls: typeof english = {
  sections: {
    links: 'Links',
    webhooks: 'Webhooks',
    deliveries: 'Zustellungen',
    operator: 'Betrieb',
  },
  palette: {
    label: 'Gehen zu, anlegen oder finden',
    placeholder: 'Name einer Seite oder Wörter einer Notiz',
  },
  lists: {
    shown: (count) => `${inGerman(count)} angezeigt`,
    more: 'Mehr anzeigen',
  },
  copyAs: {
    title: 'Kopieren als',
    curl: 'Als curl kopieren',
    code: 'Als Client-Code kopieren',
    copied: 'Kopiert',
  },
  unsaved: {
    title: 'Ohne Speichern verlassen?',
    explanation: 'Was du hier geändert hast, geht verloren.',
    leave: 'Verlassen',
    stay: 'Bleiben',
  },
  proof: {
    explanation: 'Bestätige, dass du es bist.',
    wrongPassword: 'Das Passwort ist falsch',
    passkeyNext: 'Dein Browser fragt als Nächstes nach deinem Passkey.',
    cancel: 'Abbrechen',
  },
};
