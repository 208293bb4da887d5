import type { SignedInTexts } from '../en/signed-in.ts';

export const attachments: SignedInTexts['attachments'] = {
  attach: 'Dateien anhängen',
  uploads: 'Uploads',
  progress: (name) => `Fortschritt von ${name}`,
  cancel: (name) => `Abbrechen: ${name}`,
};
