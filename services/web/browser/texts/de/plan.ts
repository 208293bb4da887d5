import type { SignedInTexts } from '../en/signed-in.ts';

export const plan: SignedInTexts['plan'] = {
  title: 'Tarif',
  current: 'Dein Tarif',
  names: { free: 'Free', pro: 'Pro', unlimited: 'Unbegrenzt' },
  raisedBy: 'Wer dieses Atrium betreibt, kann ihn ändern.',
  use: 'Nutzung',
  workspaces: 'Arbeitsbereiche',
  notes: (workspace) => `Notizen und Vorlagen in ${workspace}`,
  webhooks: 'Webhooks',
  links: 'Kurzlinks',
  storage: 'Speicher',
  stored: {
    notes: 'Notizen, auch im Papierkorb',
    versions: 'Versionen von Notizen',
    attachments: 'Dateien',
    imports: 'Importberichte',
  },
  ofLimit: (used, limit) => `${used} von ${limit}`,
  unlimited: (used) => `${used}, ohne Grenze`,
  sizes: {
    note: 'Größe einer Notiz',
    file: 'Größe einer Datei',
    archive: 'Größe eines Archivs zum Importieren',
  },
  versions: 'Aufbewahrung älterer Versionen',
  versionsPerNote: 'Versionen je Notiz von einer Person',
  trashedNotes:
    'Gelöschte Notizen im Papierkorb eines Arbeitsbereichs: deine und die aller Mitwirkenden',
  collaborators: 'Mitwirkende je Arbeitsbereich',
  upTo: (limit) => `bis ${limit}`,
  noWorkspaces: 'Du hast noch keine Arbeitsbereiche, also werden keine Notizen gezählt.',
  atLimit: 'Die Grenze ist erreicht',
};
