import type { SignedInTexts } from '../en/signed-in.ts';

export const trash: SignedInTexts['trash'] = {
  title: 'Papierkorb',
  explanation: 'Gelöschte Notizen lassen sich 30 Tage lang wiederherstellen.',
  none: 'Der Papierkorb ist leer. Eine Notiz, die du löschst, bleibt 30 Tage lang hier.',
  deleted: 'Gelöscht',
  below: (count) => (count === 1 ? 'und 1 Notiz darunter' : `und ${count} Notizen darunter`),
  purged: 'Wird endgültig gelöscht',
  restore: 'Wiederherstellen',
  restoreNote: (title) => `Wiederherstellen: ${title}`,
  restored: (title) => `„${title}“ ist wiederhergestellt`,
  erase: {
    item: 'Endgültig löschen',
    note: (title) => `Endgültig löschen: ${title}`,
    title: (title) => `„${title}“ endgültig löschen?`,
    explanation: (below) => {
      const notes = below === 1 ? 'die Notiz darunter' : `die ${below} Notizen darunter`;
      const gone = below === 0 ? 'Die Notiz und ihre' : `Die Notiz, ${notes} und ihre`;
      return `${gone} Versionen sind dann weg. Das lässt sich nicht rückgängig machen.`;
    },
    submit: 'Endgültig löschen',
    done: (title) => `„${title}“ ist endgültig gelöscht`,
  },
  empty: {
    item: 'Papierkorb leeren',
    title: 'Papierkorb leeren?',
    explanation: (count, hasMore, workspaces) => {
      const notes = count === 1 ? '1 Notiz' : `${count} Notizen`;
      const verb = count === 1 && !hasMore ? 'wird' : 'werden';
      return `${hasMore ? 'Mehr als ' : ''}${notes} in ${workspaces} ${verb} endgültig gelöscht. Das lässt sich nicht rückgängig machen.`;
    },
    submit: 'Papierkorb leeren',
    done: 'Der Papierkorb ist leer',
  },
};
