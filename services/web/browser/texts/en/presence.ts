export const presence = {
  here: 'Also here',
  isHere: (name: string) => `${name} has this note open`,
  saved: (name: string) => `${name} saved a change`,
  removedTitle: 'You are no longer a member of this workspace',
  gone: 'This note was deleted, or you may not read it any more',
};
