/** @returns undefined when the address is not that of a note's page */
export const noteIdOf = (address: string): string | undefined =>
  /^\/notes\/(note_[0-9a-z]{26})$/.exec(address)?.[1];
