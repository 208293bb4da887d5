import type { SignedInTexts } from '../en/signed-in.ts';

export const organising: SignedInTexts['organising'] = {
  title: 'Verschieben oder kopieren',
  workspace: 'Arbeitsbereich',
  here: (workspace) => `${workspace} (hier ist die Notiz)`,
  moveHint: 'Beim Verschieben kommen ihre Versionen, Dateien und ihr öffentlicher Link mit.',
  nowhere: 'Du darfst noch in keinem anderen Arbeitsbereich schreiben.',
  move: 'Verschieben',
  copy: 'Kopieren',
  saveAsTemplate: 'Als Vorlage speichern',
  moved: (title, workspace) => `„${title}“ ist jetzt in ${workspace}`,
  movedBack: (title, workspace) => `„${title}“ ist wieder in ${workspace}`,
  notSaved:
    'Es wurde nichts kopiert, weil die letzten Änderungen an dieser Notiz noch nicht gespeichert sind.',
  copied: (workspace) => `Nach ${workspace} kopiert`,
  savedAsTemplate: (title) => `Vorlage „${title}“ gespeichert`,
  template: 'Vorlage',
  templates: 'Neue Notiz aus einer Vorlage',
  fromTemplate: 'Aus einer Vorlage',
  editTemplate: 'Bearbeiten',
  editTemplateOf: (title) => `Die Vorlage ${title} bearbeiten`,
  linkedFrom: 'Verlinkt in',
  inWorkspace: (workspace) => `in ${workspace}`,
};
