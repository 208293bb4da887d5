/** What the lists, dialogs and forms of all pages with a session say. */
export const controls = {
  palette: {
    label: 'Go to, create or find',
    placeholder: 'Name of a page, or words of a note',
  },
  lists: {
    shown: (count: number) => `${count} shown`,
    more: 'Show more',
  },
  unsaved: {
    title: 'Leave without saving?',
    explanation: 'What you changed on this page is lost.',
    leave: 'Leave',
    stay: 'Stay',
  },
  proof: {
    explanation: 'Confirm that it is you.',
    wrongPassword: 'The password is wrong',
    passkeyNext: 'Your browser asks for your passkey next.',
    cancel: 'Cancel',
  },
};
