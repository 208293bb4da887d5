export const attachments = {
  attach: 'Attach files',
  uploads: 'Uploads',
  progress: (name: string) => `Progress of ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  tooLarge: {
    file: (most: string) => `A file may have at most ${most} in this workspace`,
    archive: (most: string) => `An archive may have at most ${most} in this workspace`,
  },
};
