export const trash = {
  title: 'Trash',
  explanation: 'Deleted notes can be restored for 30 days.',
  none: 'The trash is empty. A note that you delete stays here for 30 days.',
  deleted: 'Deleted',
  below: (count: number) => (count === 1 ? 'and 1 note below' : `and ${count} notes below`),
  purged: 'Gone for good',
  restore: 'Restore',
  restoreNote: (title: string) => `Restore ${title}`,
  restored: (title: string) => `“${title}” is restored`,
  erase: {
    item: 'Delete for good',
    note: (title: string) => `Delete for good: ${title}`,
    title: (title: string) => `Delete “${title}” for good?`,
    explanation: (below: number) => {
      if (below === 0) return 'The note and its versions are gone. This cannot be undone.';
      const notes = below === 1 ? 'the note below it' : `the ${below} notes below it`;
      return `The note, ${notes} and their versions are gone. This cannot be undone.`;
    },
    submit: 'Delete for good',
    done: (title: string) => `“${title}” is deleted for good`,
  },
  empty: {
    item: 'Empty trash',
    title: 'Empty the trash?',
    explanation: (count: number, hasMore: boolean, workspaces: string) => {
      const notes = count === 1 ? '1 note' : `${count} notes`;
      const verb = count === 1 && !hasMore ? 'is' : 'are';
      return `${hasMore ? 'More than ' : ''}${notes} in ${workspaces} ${verb} deleted for good. This cannot be undone.`;
    },
    submit: 'Empty trash',
    done: 'The trash is empty',
  },
};
