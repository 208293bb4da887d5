import { withShortcut } from '../../platform/shortcut.ts';
import type { SignedInTexts } from '../en/signed-in.ts';

export const shell: SignedInTexts['shell'] = {
  hideSidebar: withShortcut('Seitenleiste ausblenden', 'Strg+\\', '⌘\\'),
  showSidebar: withShortcut('Seitenleiste einblenden', 'Strg+\\', '⌘\\'),
  sidebarWidth: 'Breite der Seitenleiste',
  quickNavigation: 'Bereiche',
  new: 'Neu',
  newOf: { note: 'Neue Notiz', link: 'Neuer Link', webhook: 'Neuer Webhook' },
  accountOf: 'Konto von',
};
