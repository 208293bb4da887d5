export const attachments = {
  attach: 'Attach files',
  uploads: 'Uploads',
  progress: (name: string) => `Progress of ${name}`,
  unsent: 'Files that are not uploaded yet are lost.',
  cancel: (name: string) => `Cancel ${name}`,
};
