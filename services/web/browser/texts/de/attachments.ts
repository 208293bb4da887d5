import type { SignedInTexts } from '../en/signed-in.ts';

export const attachments: SignedInTexts['attachments'] = {
  attach: 'Dateien anhängen',
  uploads: 'Uploads',
  progress: (name) => `Fortschritt von ${name}`,
  unsent: 'Dateien, die noch nicht hochgeladen sind, gehen verloren.',
  cancel: (name) => `Abbrechen: ${name}`,
};
