import type { SignedInTexts } from '../en/signed-in.ts';

export const listing: SignedInTexts['listing'] = {
  list: {
    sort: 'Sortieren nach',
    sorts: {
      newest: 'Neueste zuerst',
      oldest: 'Älteste zuerst',
      changed: 'Zuletzt geändert',
      unchanged: 'Am längsten unverändert',
      title: 'Titel A bis Z',
      'title-desc': 'Titel Z bis A',
    },
    tag: 'Schlagwort',
    allTags: 'Alle Schlagwörter',
    anotherTag: 'Weiteres hinzufügen',
    chosenTags: 'Gewählte Schlagwörter',
    withoutTag: (tag) => `Nicht nach ${tag} filtern`,
    match: 'Notizen mit',
    matches: {
      all: 'Mit allen davon',
      any: 'Mit mindestens einem davon',
      none: 'Mit keinem davon',
    },
    favourites: 'Favoriten',
    nothing: 'Keine Notiz passt zu dieser Auswahl.',
    showAll: 'Alle Notizen anzeigen',
    actions: (title) => `Aktionen für ${title}`,
  },
  favourites: {
    title: 'Favoriten',
    one: 'Favorit',
    add: 'Zu den Favoriten hinzufügen',
    remove: 'Aus den Favoriten entfernen',
    addNote: (title) => `${title} zu den Favoriten hinzufügen`,
    removeNote: (title) => `${title} aus den Favoriten entfernen`,
    removed: (title) => `„${title}“ ist kein Favorit mehr`,
  },
  tags: {
    title: 'Schlagwörter',
    titleOf: (workspace) => `Schlagwörter von ${workspace}`,
    explanation: 'Umbenennen und Löschen ändern jede Notiz mit dem Schlagwort, auch im Papierkorb.',
    empty: 'Hier hat keine Notiz ein Schlagwort. Schlagwörter stehen unter dem Titel einer Notiz.',
    noteCount: (count, isOne) => (isOne ? '1 Notiz' : `${count} Notizen`),
    actions: (tag) => `Aktionen für ${tag}`,
    rename: 'Umbenennen',
    renameTitle: (tag) => `${tag} umbenennen`,
    name: 'Name',
    save: 'Umbenennen',
    renamed: (tag, name) => `${tag} heißt jetzt ${name}`,
    mergeTitle: (tag, name) => `${tag} mit ${name} zusammenführen?`,
    mergeExplanation: (tag, name) =>
      `Es gibt schon ein Schlagwort ${name}. Jede Notiz mit ${tag} bekommt stattdessen ${name}, und danach ist nicht mehr zu erkennen, welche Notiz welches hatte. Das kann nicht rückgängig gemacht werden.`,
    merge: 'Zusammenführen',
    merged: (tag, name) => `${tag} ist mit ${name} zusammengeführt`,
    delete: 'Löschen',
    deleteTitle: (tag) => `Schlagwort ${tag} löschen?`,
    deleteExplanation: (count, isOne) =>
      isOne
        ? 'Eine Notiz verliert es. Die Notiz bleibt. Das kann nicht rückgängig gemacht werden.'
        : `${count} Notizen verlieren es. Die Notizen bleiben. Das kann nicht rückgängig gemacht werden.`,
    deleteSubmit: 'Schlagwort löschen',
    deleted: (tag) => `${tag} ist gelöscht`,
  },
};
