import { inEnglish } from './numbers.ts';

export const history = {
  title: 'History',
  titleOf: (note: string) => `History of ${note}`,
  note: 'Note',
  explanation: 'A version is what one person wrote within five minutes.',
  versions: 'Versions',
  current: 'Current',
  unknown: 'Somebody whose account is deleted',
  changes: 'Changes',
  compareWith: 'Compare with',
  before: 'The version before',
  fromTo: (from: string, to: string) => `Changes from ${from} to ${to}`,
  oldest: 'This is the oldest version.',
  same: 'The two versions say the same.',
  added: 'Added: ',
  removed: 'Removed: ',
  tagsAdded: (tags: string) => `Tags added: ${tags}`,
  tagsRemoved: (tags: string) => `Tags removed: ${tags}`,
  unchanged: (lines: number) => `Show ${inEnglish(lines)} unchanged lines`,
  restore: 'Restore this version',
  restored: 'The version is restored',
  changedSince:
    'The note has changed in the meantime. Look at its current version before you restore another.',
  name: {
    item: 'Name current version',
    title: 'Name the current version',
    explanation: 'The next change begins another version, so this one stays as it is.',
    label: 'Name',
    submit: 'Name version',
    done: (name: string) => `The current version is named ${name}`,
  },
};
