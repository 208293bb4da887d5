import type { SignedInTexts } from '../en/signed-in.ts';

export const attachments: SignedInTexts['attachments'] = {
  attach: 'Dateien anhängen',
  uploads: 'Uploads',
  progress: (name) => `Fortschritt von ${name}`,
  cancel: (name) => `Abbrechen: ${name}`,
  tooLarge: {
    file: (most) => `Eine Datei darf hier höchstens ${most} haben`,
    archive: (most) => `Ein Archiv darf in diesem Arbeitsbereich höchstens ${most} groß sein`,
  },
};
