/** How notes are found in lists: orders, tags and favourites. */
export const listing = {
  list: {
    sort: 'Sort by',
    sorts: {
      newest: 'Newest first',
      oldest: 'Oldest first',
      changed: 'Last changed',
      unchanged: 'Longest unchanged',
      title: 'Title A to Z',
      'title-desc': 'Title Z to A',
    },
    tag: 'Tag',
    allTags: 'All tags',
    anotherTag: 'Add another',
    chosenTags: 'Chosen tags',
    withoutTag: (tag: string) => `Do not filter by ${tag}`,
    match: 'Notes with',
    matches: {
      all: 'With all of these',
      any: 'With any of these',
      none: 'With none of these',
    },
    favourites: 'Favourites',
    nothing: 'No note fits what you have chosen.',
    showAll: 'Show all notes',
    actions: (title: string) => `Actions for ${title}`,
  },
  favourites: {
    title: 'Favourites',
    one: 'Favourite',
    add: 'Add to favourites',
    remove: 'Remove from favourites',
    addNote: (title: string) => `Add ${title} to favourites`,
    removeNote: (title: string) => `Remove ${title} from favourites`,
    removed: (title: string) => `“${title}” is no longer a favourite`,
  },
  tags: {
    title: 'Tags',
    titleOf: (workspace: string) => `Tags of ${workspace}`,
    explanation: 'Renaming or deleting a tag changes every note that has it, also in the trash.',
    empty: 'No note here has a tag. Tags are added below the title of a note.',
    noteCount: (count: string, isOne: boolean) => (isOne ? '1 note' : `${count} notes`),
    actions: (tag: string) => `Actions for ${tag}`,
    rename: 'Rename',
    renameTitle: (tag: string) => `Rename ${tag}`,
    name: 'Name',
    save: 'Rename',
    renamed: (tag: string, name: string) => `${tag} is now ${name}`,
    mergeTitle: (tag: string, name: string) => `Merge ${tag} into ${name}?`,
    mergeExplanation: (tag: string, name: string) =>
      `There is a tag ${name} already. Every note with ${tag} gets ${name} instead, and afterwards nobody can tell which notes had which. This cannot be undone.`,
    merge: 'Merge tags',
    merged: (tag: string, name: string) => `${tag} is merged into ${name}`,
    delete: 'Delete',
    deleteTitle: (tag: string) => `Delete the tag ${tag}?`,
    deleteExplanation: (count: string, isOne: boolean) =>
      isOne
        ? 'One note loses it. The note stays. This cannot be undone.'
        : `${count} notes lose it. The notes stay. This cannot be undone.`,
    deleteSubmit: 'Delete tag',
    deleted: (tag: string) => `${tag} is deleted`,
  },
};
