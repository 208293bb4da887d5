import type { DisabledReason } from '@atrium/contracts/webhooks/disabled-reasons';
import type { EmailTexts } from './texts.ts';

const NOT_ME = 'Das war ich nicht';
const LINK_ENDS_ACCESS =
  'Wenn du es warst, ist nichts zu tun. Wenn nicht: Der Link beendet alle Sitzungen, widerruft alle ' +
  'Anwendungen und Zugriffstoken, macht das Passwort unbrauchbar, entfernt die seitdem hinzugefügten zweiten ' +
  'Faktoren und Geräte und schickt dir einen Link für ein neues Passwort.';
const LINK_EXPIRES = 'Er funktioniert einmal, innerhalb von 7 Tagen.';
const IF_NOT_YOU = `${LINK_ENDS_ACCESS} ${LINK_EXPIRES}`;

const FACTOR_CHANGES = {
  'factor.added': 'deinem Konto wurde ein zweiter Faktor hinzugefügt.',
  'factor.removed': 'ein zweiter Faktor deines Kontos wurde entfernt.',
  'recovery_codes.renewed': 'für dein Konto wurden neue Wiederherstellungscodes erzeugt.',
  'recovery_code.used':
    'jemand hat sich mit einem Wiederherstellungscode bei deinem Konto angemeldet.',
};

const APPLICATION_CHANGES = {
  redirectUrls: 'URLs für die Rückkehr',
  postLogoutUrls: 'URLs nach dem Abmelden',
  backchannelLogoutUrl: 'Back-channel logout URL',
  scopes: 'Berechtigungen',
  secretAdded: 'Neues Geheimnis',
  secretRemoved: 'Entferntes Geheimnis',
};

/** What stands for a device that says nothing of itself. A map, as clients choose their names. */
const UNKNOWN = new Map([
  ['Unknown browser', 'Unbekannter Browser'],
  ['unknown system', 'unbekanntes System'],
]);

/** The reasons for which webhooks are disabled; another one is shown as it is. */
const WEBHOOK_REASONS: Record<string, string> = {
  'Every delivery failed for five days': 'Fünf Tage lang ist jede Zustellung gescheitert',
  'The endpoint answered 410 Gone': 'Der Empfänger hat mit 410 Gone geantwortet',
  '100,000 deliveries waited while it was paused':
    'Während der Pause haben sich 100.000 Zustellungen angesammelt',
  '100,000 deliveries waited because it was too slow':
    'Er war zu langsam: 100.000 Zustellungen haben gewartet',
  '100,000 deliveries waited for atrium listen':
    '100.000 Zustellungen haben auf „atrium listen“ gewartet',
} satisfies Record<DisabledReason, string>;

const hello = (name: string) => (name === '' ? 'Hallo,' : `Hallo ${name},`);

const timeFormat = new Intl.DateTimeFormat('de', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const time = (timestamp: string) => `${timeFormat.format(new Date(timestamp))} UTC`;

export const german: EmailTexts = {
  verifyEmail: () => ({
    subject: 'Bestätige deine E-Mail-Adresse',
    paragraphs: ['Hallo,', 'bitte bestätige, dass diese E-Mail-Adresse dir gehört.'],
    button: 'E-Mail bestätigen',
    closing:
      'Der Link funktioniert 24 Stunden lang. Wenn du dich nicht registriert hast, hat jemand anderes deine ' +
      'Adresse benutzt: Der Link unten beendet dessen Zugang.',
    secondary: NOT_ME,
  }),
  emailTaken: (name) => ({
    subject: 'Du hast schon ein Konto',
    paragraphs: [
      hello(name),
      'jemand wollte diese E-Mail-Adresse für ein weiteres Konto benutzen, aber sie gehört schon zu einem.',
      'Wenn du es warst, melde dich stattdessen an. Falls du das Passwort vergessen hast, fordere dort ein ' +
        'neues an.',
    ],
    button: 'Anmelden',
    closing: 'Wenn du es nicht warst, ist nichts zu tun.',
  }),
  resetPassword: (name) => ({
    subject: 'Setze dein Passwort zurück',
    paragraphs: [hello(name), 'für dein Konto wurde ein neues Passwort angefordert.'],
    button: 'Neues Passwort festlegen',
    closing:
      'Der Link funktioniert einmal, innerhalb von 30 Minuten. Wenn du ihn nicht angefordert hast, ignoriere ' +
      'diese Nachricht.',
  }),
  passwordChanged: (name) => ({
    subject: 'Dein Passwort wurde geändert',
    paragraphs: [hello(name), 'das Passwort deines Kontos wurde gerade geändert.'],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  suspiciousLogin: (name, { browser, os, ipAddress, loggedInAt }) => ({
    subject: 'Neue Anmeldung bei deinem Konto',
    paragraphs: [
      hello(name),
      'dein Konto wurde von einem Gerät benutzt, das wir noch nicht kennen.',
    ],
    facts: [
      ['Gerät', `${UNKNOWN.get(browser) ?? browser}, ${UNKNOWN.get(os) ?? os}`],
      ['IP-Adresse', ipAddress],
      ['Zeit', time(loggedInAt)],
    ],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  secondFactorChanged: (name, change) => ({
    subject:
      change === 'recovery_code.used'
        ? 'Ein Wiederherstellungscode wurde benutzt'
        : 'Dein zweiter Faktor wurde geändert',
    paragraphs: [hello(name), FACTOR_CHANGES[change]],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  loginProviderChanged: (name, { provider, isLinked }) => ({
    subject: isLinked
      ? `Dein Konto ist mit ${provider} verknüpft`
      : `Dein Konto ist nicht mehr mit ${provider} verknüpft`,
    paragraphs: [
      hello(name),
      isLinked
        ? `Mit ${provider} kann man sich jetzt an deinem Konto anmelden.`
        : `Mit ${provider} kann man sich nicht mehr an deinem Konto anmelden.`,
    ],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  applicationChanged: (name, { applicationName, changes }) => ({
    subject: 'Deine Anwendung wurde geändert',
    paragraphs: [hello(name), 'eine Anwendung, die du registriert hast, wurde geändert.'],
    facts: [
      ['Anwendung', applicationName],
      ['Änderung', changes.map((change) => APPLICATION_CHANGES[change]).join(', ')],
    ],
    button: NOT_ME,
    closing: `${LINK_ENDS_ACCESS} Die Änderung macht er nicht rückgängig: Prüfe danach die Anwendung. ${LINK_EXPIRES}`,
    secondary: 'Anwendung zeigen',
  }),
  confirmEmail: () => ({
    subject: 'Bestätige deine neue E-Mail-Adresse',
    paragraphs: ['Hallo,', 'bitte bestätige, dass dein Konto diese E-Mail-Adresse verwenden soll.'],
    button: 'E-Mail bestätigen',
    closing:
      'Der Link funktioniert einmal, innerhalb von 24 Stunden. Wenn du ihn nicht angefordert hast, ignoriere ' +
      'diese Nachricht.',
  }),
  emailChangeRequested: (name, newEmail) => ({
    subject: 'Deine E-Mail-Adresse wird bald geändert',
    paragraphs: [
      hello(name),
      'jemand, der dein Passwort kennt, möchte die E-Mail-Adresse deines Kontos ändern. Sie ändert sich, ' +
        'sobald die neue E-Mail-Adresse bestätigt ist.',
    ],
    facts: [['Neue E-Mail-Adresse', newEmail]],
    button: NOT_ME,
    closing: IF_NOT_YOU,
  }),
  emailChanged: (name, { newEmail, canRevert }) => ({
    subject: 'Deine E-Mail-Adresse wurde geändert',
    paragraphs: [hello(name), 'die E-Mail-Adresse deines Kontos wurde geändert.'],
    facts: [['Neue E-Mail-Adresse', newEmail]],
    button: NOT_ME,
    closing: canRevert
      ? 'Wenn du es warst, ist nichts zu tun. Wenn nicht: Der Link stellt diese E-Mail-Adresse wieder her, beendet ' +
        'alle Sitzungen, widerruft alle Anwendungen und Zugriffstoken und macht das Passwort unbrauchbar. Er ' +
        'funktioniert einmal, innerhalb von 7 Tagen.'
      : 'Wenn du es warst, ist nichts zu tun. Wenn nicht: Der Link beendet alle Sitzungen, widerruft alle ' +
        'Anwendungen und Zugriffstoken und macht das Passwort unbrauchbar. Er funktioniert einmal, innerhalb ' +
        'von 7 Tagen.',
  }),
  accountDeletion: (name, erasesAt) => ({
    subject: 'Dein Konto wird gelöscht',
    paragraphs: [
      hello(name),
      'wie gewünscht wird dein Konto mit allem Inhalt gelöscht. Bis dahin kannst du dich anmelden und es ' +
        'wiederherstellen.',
      'Zugriffstoken und der Zugriff von Anwendungen sind schon jetzt beendet. Sie kommen auch nicht ' +
        'zurück, wenn du das Konto wiederherstellst.',
      'Ein Arbeitsbereich, den du teilst, geht an die Person mit Schreibrecht, die am längsten dabei ist. ' +
        'Ohne eine solche Person wird er gelöscht.',
    ],
    facts: [['Wird gelöscht am', time(erasesAt)]],
    button: 'Anmelden',
    closing:
      'Wenn du das nicht gewünscht hast: Der Link unten behält das Konto und beendet jeden Zugang dazu.',
    secondary: NOT_ME,
  }),
  accountErased: (name) => ({
    subject: 'Dein Konto wurde gelöscht',
    paragraphs: [
      hello(name),
      'dein Konto wurde gelöscht, mit deinen Notizen, Kurzlinks und Webhooks. Nichts davon lässt sich ' +
        'wiederherstellen.',
    ],
    closing: 'Das ist unsere letzte Nachricht: Wir speichern diese E-Mail-Adresse nicht mehr.',
  }),
  exportReady: (name, expiresAt) => ({
    subject: 'Deine Daten sind bereit',
    paragraphs: [hello(name), 'die angeforderte Kopie deiner Daten ist bereit.'],
    button: 'Herunterladen',
    closing: `Der Link funktioniert bis zum ${time(expiresAt)}. Gib ihn nicht weiter.`,
  }),
  webhookDisabled: (name, { url, reason }) => ({
    subject: 'Ein Webhook wurde abgeschaltet',
    paragraphs: [hello(name), 'wir senden keine Ereignisse mehr an einen deiner Webhooks.'],
    facts: [
      ['Webhook', url],
      ['Grund', WEBHOOK_REASONS[reason] ?? reason],
    ],
    button: 'Webhooks ansehen',
    closing: 'Was zu tun ist, steht auf der Seite des Webhooks.',
  }),
  workspaceInvited: ({ workspaceName, role, inviter }) => ({
    subject: 'Du bist in einen Arbeitsbereich eingeladen',
    paragraphs: ['Hallo,', 'jemand möchte einen Arbeitsbereich mit dir teilen.'],
    facts: [
      ['Arbeitsbereich', workspaceName],
      ['Eingeladen von', `${inviter.name} (${inviter.username})`],
      ['Du darfst', role === 'editor' ? 'die Notizen lesen und schreiben' : 'die Notizen lesen'],
    ],
    button: 'Einladung ansehen',
    closing:
      'Der Link gilt einmal, innerhalb von 7 Tagen, für ein Konto mit dieser E-Mail-Adresse. Wenn du den ' +
      'Absender nicht kennst, ignoriere diese E-Mail.',
  }),
};
