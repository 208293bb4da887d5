import type { emailLinks as english } from '../en/email-links.ts';

const invite = (owner?: string) =>
  owner === undefined ? 'Du bist eingeladen' : `${owner} lädt dich ein`;

export const emailLinks: typeof english = {
  expiredTitle: 'Dieser Link gilt nicht mehr',
  expired: 'Er wurde schon benutzt oder ist zu alt.',
  missing:
    'Öffne den Link in der Nachricht noch einmal: beim Neuladen oder Verlassen der Seite geht sein Inhalt verloren.',
  logIn: 'Anmelden',
  toHome: 'Zu deiner Startseite',
  verify: {
    title: 'E-Mail bestätigen',
    explanation: 'Bestätige, dass diese Adresse dir gehört.',
    submit: 'E-Mail bestätigen',
    doneTitle: 'Deine E-Mail ist bestätigt',
    done: 'Mehr ist nicht nötig.',
    doneInvited: 'Jetzt kannst du die Einladung in den Arbeitsbereich annehmen.',
    next: 'Melde dich an, um einen neuen Link zu bekommen.',
    noPassword: 'Ich habe kein Passwort gewählt',
    resetTitle: 'Sieh in dein Postfach',
    reset:
      'Wir haben einen Link an deine Adresse geschickt. Damit setzt du ein eigenes Passwort, das sonst niemand kennt.',
  },
  confirm: {
    title: 'Neue E-Mail bestätigen',
    explanation: 'Dein Konto verwendet ab jetzt diese Adresse.',
    submit: 'E-Mail bestätigen',
    doneTitle: 'Deine E-Mail ist geändert',
    done: 'Melde dich beim nächsten Mal mit der neuen Adresse an.',
    next: 'Melde dich an und ändere die Adresse noch einmal.',
  },
  password: {
    explanation: 'Gib das Passwort des Kontos ein, damit wir wissen, dass es deines ist.',
    wrong: 'Das Passwort ist falsch',
    other: 'Dieser Link gilt einem anderen Konto als dem, mit dem du angemeldet bist',
  },
  notMe: {
    title: 'Konto sichern',
    explanation:
      'Damit enden alle Sitzungen, alle Anwendungen und Zugriffstoken werden widerrufen, das Passwort wird ' +
      'unbrauchbar, und zweite Faktoren und Geräte, die seit der Nachricht dazukamen, werden entfernt. Du ' +
      'bekommst einen Link für ein neues Passwort.',
    submit: 'Mein Konto sichern',
    doneTitle: 'Dein Konto ist gesichert',
    done: 'Alle Sitzungen sind beendet. Der Link für ein neues Passwort ist in deinem Postfach.',
    next: 'Wenn du weiter fürchtest, dass jemand anderes dein Konto nutzt, setze das Passwort zurück.',
    reset: 'Passwort zurücksetzen',
  },
  export: {
    title: 'Deine Daten',
    explanation: 'Eine Kopie von allem, was Atrium über dein Konto speichert, als eine JSON-Datei.',
    submit: 'Herunterladen',
    doneTitle: 'Der Download hat begonnen',
    done: 'Bewahre die Datei sicher auf: sie enthält alles aus deinem Konto.',
    next: 'Fordere unter Konto, Deine Daten, eine neue Kopie an.',
    logIn: 'Melde dich an, um deine Daten herunterzuladen.',
  },
  invitation: {
    join: (workspace) => `${workspace} beitreten`,
    invites: {
      editor: (owner) =>
        `${invite(owner)}, die Notizen dieses Arbeitsbereichs zu lesen und zu schreiben.`,
      viewer: (owner) => `${invite(owner)}, die Notizen dieses Arbeitsbereichs zu lesen.`,
    },
    explanation:
      'Sie stehen dann bei deinen, und du kannst den Arbeitsbereich jederzeit verlassen.',
    show: 'Einladung zeigen',
    submit: 'Einladung annehmen',
    joined: (workspace) => `Du bist ${workspace} beigetreten`,
    done: 'Seine Notizen warten auf dich.',
    next: 'Bitte die Person, die dich eingeladen hat, die Einladung noch einmal zu senden.',
    logIn:
      'Melde dich mit der Adresse an, an die die Einladung ging, oder lege ein Konto mit ihr an.',
    toWorkspace: 'Arbeitsbereich zeigen',
    toNotes: 'Zu deinen Notizen',
  },
};
