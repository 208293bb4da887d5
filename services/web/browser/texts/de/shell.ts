import { isApple, withShortcut } from '../../platform/shortcut.ts';
import type { SignedInTexts } from '../en/signed-in.ts';

export const shell: SignedInTexts['shell'] = {
  hideSidebar: withShortcut('Seitenleiste ausblenden', 'Strg+\\', '⌘\\'),
  showSidebar: withShortcut('Seitenleiste einblenden', 'Strg+\\', '⌘\\'),
  sidebarWidth: 'Breite der Seitenleiste',
  quickNavigation: 'Bereiche',
  new: 'Neu',
  newOf: { note: 'Neue Notiz', link: 'Neuer Link', webhook: 'Neuer Webhook' },
  accountOf: 'Konto von',
  keys: {
    title: 'Tasten',
    then: 'dann',
    everywhere: 'Überall',
    lists: 'In Listen',
    palette: 'Suchen, zu einer Seite gehen, anlegen',
    newNote: 'Neue Notiz',
    search: 'Auf dieser Seite suchen, sonst überall',
    goTo: (page) => `Gehe zu ${page}`,
    sidebar: 'Seitenleiste ein- oder ausblenden',
    back: 'Zurück, wo du warst',
    help: 'Diese Tasten zeigen',
    next: 'Nächste Zeile',
    previous: 'Vorige Zeile',
    open: 'Zeile öffnen',
    sidebarKey: isApple ? '⌘\\' : 'Strg+\\',
    enter: 'Eingabe',
    escape: 'Esc',
  },
};
