export const eventTypes = {
  developers: 'Developers',
  title: 'Event types',
  explanation: 'The events that your products publish. Webhooks name the ones that they receive.',
  none: 'An event type says what an event of your product is called and carries. Describe each in a file and register them with this command.',
  copyCommand: 'Copy the command',
  guide:
    'ATRIUM_TOKEN has an access token with the scope events:publish; docs/publish-events.md shows such a file.',
  version: (version: number) => `Version ${version}`,
  schema: 'Schema',
  example: 'Example',
  isArchived: 'Archived',
  archive: (name: string) => `Archive ${name}`,
  archiveShort: 'Archive',
  archived: (name: string) => `${name} is archived: its events are published no more`,
  restore: (name: string) => `Restore ${name}`,
  restoreShort: 'Restore',
  restored: (name: string) => `${name} can be published again`,
};
