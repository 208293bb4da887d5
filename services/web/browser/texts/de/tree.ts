import type { SignedInTexts } from '../en/signed-in.ts';

export const tree: SignedInTexts['tree'] = {
  label: 'Arbeitsbereiche und Notizen',
  newInside: (title) => `Neue Notiz in ${title}`,
  actions: (title) => `Aktionen für ${title}`,
  new: 'Neue Notiz darin',
  move: 'Verschieben …',
  delete: 'Löschen',
  more: 'Mehr anzeigen',
  failed: 'Konnte nicht geladen werden. Erneut versuchen',
  placed: {
    before: (title, target) => `„${title}“ ist jetzt vor „${target}“`,
    inside: (title, target) => `„${title}“ ist jetzt in „${target}“`,
    after: (title, target) => `„${title}“ ist jetzt nach „${target}“`,
  },
  moveTitle: (title) => `${title} verschieben`,
  workspace: 'Arbeitsbereich',
  inside: 'In der Notiz',
  firstLevel: 'In keiner anderen Notiz',
  submit: 'Verschieben',
  parents: 'Wo die Notiz ist',
};
