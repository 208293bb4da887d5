export const attachments = {
  attach: 'Attach files',
  uploads: 'Uploads',
  progress: (name: string) => `Progress of ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
};
