export const attachments = {
  attach: 'Attach files',
  uploads: 'Files on their way',
  progress: (name: string) => `Progress of ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
};
