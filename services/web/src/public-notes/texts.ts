import type { Language } from '@atrium/contracts/auth/profile';

export interface PublicNoteTexts {
  product: string;
  updated: (date: string) => string;
  tags: string;
  /** Titles with what the reader can do. */
  withdrawn: readonly [title: string, explanation: string];
  incomplete: readonly [title: string, explanation: string];
  busy: readonly [title: string, explanation: string];
  failed: readonly [title: string, explanation: string];
  expired: readonly [title: string, explanation: string];
  usedUp: readonly [title: string, explanation: string];
  protected: readonly [title: string, explanation: string];
  limited: readonly [title: string, explanation: string];
  viewsLeft: (count: number) => string;
  password: string;
  wrongPassword: string;
  tooManyPasswords: (minutes: number) => string;
  open: string;
}

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
    expired: ['This link has expired', 'Ask whoever sent it to you for a new one.'],
    usedUp: [
      'This link has been used up',
      'It has been opened as often as it may be. Ask whoever sent it to you for a new one.',
    ],
    protected: ['This note is protected', 'Enter the password that belongs to the link.'],
    limited: ['Open this note?', 'It opens only a limited number of times, and this will be one.'],
    viewsLeft: (count) => (count === 1 ? 'This is the last time.' : `${count} times are left.`),
    password: 'Password',
    wrongPassword: 'This password is wrong.',
    tooManyPasswords: (minutes) =>
      `Too many wrong passwords. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    open: 'Open note',
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
    expired: [
      'Dieser Link ist abgelaufen',
      'Frag die Person, von der du ihn hast, nach einem neuen.',
    ],
    usedUp: [
      'Dieser Link ist aufgebraucht',
      'Er wurde so oft geöffnet wie erlaubt. Frag die Person, von der du ihn hast, nach einem neuen.',
    ],
    protected: ['Diese Notiz ist geschützt', 'Gib das Passwort ein, das zum Link gehört.'],
    limited: ['Diese Notiz öffnen?', 'Sie lässt sich nur begrenzt oft öffnen, und das zählt mit.'],
    viewsLeft: (count) => (count === 1 ? 'Es ist das letzte Mal.' : `Noch ${count} Mal möglich.`),
    password: 'Passwort',
    wrongPassword: 'Dieses Passwort ist falsch.',
    tooManyPasswords: (minutes) =>
      `Zu viele falsche Passwörter. Versuche es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} wieder.`,
    open: 'Notiz öffnen',
  },
};
