interface PublicNoteTexts {
  product: string;
  updated: (date: string) => string;
  tags: string;
  /** Titles with what the reader can do. */
  withdrawn: readonly [title: string, explanation: string];
  incomplete: readonly [title: string, explanation: string];
  busy: readonly [title: string, explanation: string];
  failed: readonly [title: string, explanation: string];
}

export type Language = 'en' | 'de';

export const TEXTS: Record<Language, PublicNoteTexts> = {
  en: {
    product: 'Atrium',
    updated: (date) => `Updated ${date}`,
    tags: 'Tags',
    withdrawn: ['This note is not public', 'Its owner has stopped sharing it, or has deleted it.'],
    incomplete: [
      'Note not found',
      'The link is not complete. Copy it again from where you got it.',
    ],
    busy: ['Too many requests', 'Wait a minute, then reload this page.'],
    failed: ['This note cannot be shown right now', 'Reload this page in a minute.'],
  },
  de: {
    product: 'Atrium',
    updated: (date) => `Geändert am ${date}`,
    tags: 'Schlagwörter',
    withdrawn: [
      'Diese Notiz ist nicht öffentlich',
      'Sie wird nicht mehr geteilt oder wurde gelöscht.',
    ],
    incomplete: [
      'Notiz nicht gefunden',
      'Der Link ist unvollständig. Kopiere ihn noch einmal dort, wo du ihn gefunden hast.',
    ],
    busy: ['Zu viele Anfragen', 'Warte eine Minute und lade diese Seite neu.'],
    failed: [
      'Diese Notiz lässt sich gerade nicht anzeigen',
      'Lade diese Seite in einer Minute neu.',
    ],
  },
};

/** The first of the reader's languages that we have. @param accepted `Accept-Language` */
export function languageOf(accepted: string = ''): Language {
  const tags = accepted.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return tags.find((tag) => tag === 'de' || tag === 'en') ?? 'en';
}
