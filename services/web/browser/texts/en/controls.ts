import { inEnglish } from './numbers.ts';

/** What the lists, dialogs and forms of all pages with a session say. */
export const controls = {
  sections: {
    links: 'Links',
    webhooks: 'Webhooks',
    deliveries: 'Deliveries',
    operator: 'Operator',
  },
  palette: {
    label: 'Go to, create or find',
    placeholder: 'Name of a page, or words of a note',
  },
  lists: {
    shown: (count: number) => `${inEnglish(count)} shown`,
    more: 'Show more',
  },
  copyAs: {
    title: 'Copy as',
    curl: 'Copy as curl',
    code: 'Copy as client code',
    copied: 'Copied',
  },
  unsaved: {
    title: 'Leave without saving?',
    explanation: 'What you changed here is lost.',
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
