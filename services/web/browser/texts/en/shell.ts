import { withShortcut } from '../../platform/shortcut.ts';

/** The frame around the pages of a signed-in person. */
export const shell = {
  hideSidebar: withShortcut('Hide the sidebar', 'Ctrl+\\', '⌘\\'),
  showSidebar: withShortcut('Show the sidebar', 'Ctrl+\\', '⌘\\'),
  sidebarWidth: 'Width of the sidebar',
  quickNavigation: 'Sections',
  new: 'New',
  newOf: { note: 'New note', link: 'New link', webhook: 'New webhook' },
  accountOf: 'Account of',
};
