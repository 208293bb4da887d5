/** @returns undefined when the path is not that of a note's page */
export const noteIdOf = (path: string): string | undefined =>
  /^\/notes\/(note_[0-9a-z]{26})$/.exec(path)?.[1];
