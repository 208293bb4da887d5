import { isApple, withShortcut } from '../../platform/shortcut.ts';

/** The frame around the pages of a signed-in person. */
export const shell = {
  hideSidebar: withShortcut('Hide the sidebar', 'Ctrl+\\', '⌘\\'),
  showSidebar: withShortcut('Show the sidebar', 'Ctrl+\\', '⌘\\'),
  sidebarWidth: 'Width of the sidebar',
  quickNavigation: 'Sections',
  new: 'New',
  newOf: { note: 'New note', link: 'New link', webhook: 'New webhook' },
  accountOf: 'Account of',
  keys: {
    title: 'Keys',
    then: 'then',
    everywhere: 'Everywhere',
    lists: 'In lists',
    palette: 'Search, go to a page, create',
    newNote: 'New note',
    search: 'Search this page, or everything',
    goTo: (page: string) => `Go to ${page}`,
    sidebar: 'Show or hide the sidebar',
    back: 'Back to where you were',
    help: 'Show these keys',
    next: 'Next row',
    previous: 'Previous row',
    open: 'Open the row',
    sidebarKey: isApple ? '⌘\\' : 'Ctrl+\\',
    enter: 'Enter',
    escape: 'Esc',
  },
};
