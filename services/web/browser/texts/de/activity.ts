import type { SignedInTexts } from '../en/signed-in.ts';

export const activity: SignedInTexts['activity'] = {
  title: 'Aktivität',
  titleOf: (workspace) => `Aktivität · ${workspace}`,
  explanation: 'Wer hier in den letzten 90 Tagen was getan hat.',
  nothing: 'Hier ist in den letzten 90 Tagen nichts geschehen.',
  somebody: 'Jemand',
  sentences: {
    'note.created': (name, { title }) => `${name} hat „${title}“ angelegt`,
    'note.edited': (name, { title }) => `${name} hat „${title}“ geändert`,
    'note.renamed': (name, { title, former }) => `${name} hat „${former}“ in „${title}“ umbenannt`,
    'note.deleted': (name, { title }) => `${name} hat „${title}“ in den Papierkorb gelegt`,
    'note.restored': (name, { title }) => `${name} hat „${title}“ wiederhergestellt`,
    'note.version_restored': (name, { title }) =>
      `${name} hat eine frühere Version von „${title}“ wiederhergestellt`,
    'note.shared': (name, { title }) => `${name} hat „${title}“ veröffentlicht`,
    'note.unshared': (name, { title }) => `${name} teilt „${title}“ nicht mehr`,
    'note.moved': (name, { title }) =>
      `${name} hat „${title}“ zwischen Arbeitsbereichen verschoben`,
    'member.invited': (name, { role }) => `${name} hat jemanden eingeladen (${role})`,
    'member.joined': (name, { role }) => `${name} ist beigetreten (${role})`,
    'member.removed': (name, { whom }) => `${name} hat ${whom} entfernt`,
    'member.role_changed': (name, { whom, role }) =>
      `${name} hat die Rolle von ${whom} geändert: ${role}`,
    'workspace.renamed': (name, { title, former }) =>
      `${name} hat den Arbeitsbereich von „${former}“ in „${title}“ umbenannt`,
    'workspace.transferred': (name, { whom }) =>
      `${name} hat ${whom} den Arbeitsbereich übertragen`,
    'workspace.imported': (name) => `${name} hat Notizen importiert`,
    left: (name) => `${name} hat den Arbeitsbereich verlassen`,
    erased: (name) => `${name} hat an einer Notiz gearbeitet, die endgültig gelöscht ist`,
  },
};
