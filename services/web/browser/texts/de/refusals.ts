/**
 * What the services say when they refuse something, and how we say it. `{}` stands for a name or a number
 * in their sentence, `{1}` for the first of them in ours. A test finds those
 * that are missing.
 */
export const refusals = {
  '{} is required': 'Eine Angabe fehlt',
  '{} is not valid': 'Die Angabe ist nicht gültig',
  '{} has an invalid format': 'Die Angabe hat nicht die richtige Form',
  '{} contains characters that cannot be stored':
    'Darin sind Zeichen, die nicht gespeichert werden können',
  '{} must not be empty': 'Die Angabe fehlt',
  '{} must be at least {} character long': 'Mindestens {2} Zeichen',
  '{} must be at least {} characters long': 'Mindestens {2} Zeichen',
  '{} must be at most {} characters long': 'Höchstens {2} Zeichen',
  '{} must be at least {}': 'Mindestens {2}',
  '{} must be at most {}': 'Höchstens {2}',
  '{} must contain at least {} item': 'Mindestens eine Auswahl ist nötig',
  '{} must contain at most {} items': 'Höchstens {2} sind möglich',
  '{} must not contain the same item twice': 'Etwas ist doppelt angegeben',
  '{} must be one of: {}': 'Möglich sind: {2}',
  '{} must be a valid email address': 'Gib eine Adresse wie ada@example.com an',
  '{} must be a valid date in the form YYYY-MM-DD': 'Gib ein Datum an',
  '{} must be a valid URL': 'Gib eine vollständige Adresse an, die mit https:// beginnt',
  '{} must be the name of a file, without a folder': 'Der Dateiname darf keinen Ordner enthalten',
  '{} must not contain a user name or password':
    'Die Adresse darf weder Benutzernamen noch Passwort enthalten',
  'Request body is required': 'Es wurde nichts gesendet',
  'Request body is too large': 'Das ist zu groß',
  'Origin is not allowed': 'Die Anmeldung lässt Seiten unter dieser Adresse nicht zu',

  'Verify your email address first': 'Bestätige zuerst deine E-Mail-Adresse',
  'Invalid token': 'Deine Sitzung ist nicht mehr gültig. Melde dich erneut an.',
  'Token is invalid or has expired': 'Der Link wurde schon benutzt oder ist zu alt',
  'Session has ended, please log in again': 'Die Sitzung ist beendet. Melde dich erneut an.',
  'Login has expired, please log in again':
    'Die Anmeldung hat zu lange gedauert. Melde dich erneut an.',
  'Invalid email or password': 'E-Mail-Adresse oder Passwort ist falsch',
  'Current password is wrong': 'Das aktuelle Passwort ist falsch',
  'Password is wrong': 'Das Passwort ist falsch',
  'Code is wrong or has been used': 'Der Code ist falsch oder wurde schon benutzt',
  'Passkey was not accepted': 'Der Passkey wurde nicht angenommen',
  'Passkey could not be verified, please try again':
    'Der Passkey ließ sich nicht prüfen. Versuche es erneut.',
  'Passkey is already registered': 'Dieser Passkey gehört schon zu deinem Konto',
  'An account has at most {} passkeys': 'Ein Konto hat höchstens {1} Passkeys',
  'An authenticator app is set up already': 'Eine Authenticator-App ist schon eingerichtet',
  'A second factor is required: give code, recoveryCode or passkey': 'Der zweite Faktor fehlt',
  'Log in, or send the password of the account, to verify the address; a link to set a new password is on its way to it':
    'Melde dich an oder gib das Passwort des Kontos an. Ein Link für ein neues Passwort ist unterwegs.',
  'Log in, or send the password of the account, to change its email address':
    'Melde dich an oder gib das Passwort des Kontos an',
  'Username is already taken': 'Dieser Benutzername ist vergeben',
  'Name must not be blank': 'Der Name fehlt',
  'Birthdate must be a real date': 'Dieses Datum gibt es nicht',
  'Birthdate must not be before 1900': 'Das Datum liegt vor 1900',
  'Birthdate must not be in the future': 'Das Datum liegt in der Zukunft',
  'Email is the address of the account already': 'Das ist schon die Adresse deines Kontos',
  '{} is one of the most common passwords': 'Dieses Passwort gehört zu den häufigsten',
  '{} must not contain the name of this product':
    'Das Passwort darf den Namen dieses Produkts nicht enthalten',
  '{} must not contain the username or the email name':
    'Das Passwort darf weder den Benutzernamen noch den Namen der E-Mail-Adresse enthalten',
  'Label of profile link {} must not be blank': 'Die Bezeichnung von Link {1} fehlt',
  'Image must be a PNG, JPEG or WebP image': 'Wähle ein Bild als PNG, JPEG oder WebP',
  'Image must have at most 25 million pixels and 10,000 on each side':
    'Das Bild darf höchstens 25 Millionen Pixel haben und 10.000 auf jeder Seite',
  'Image cannot be compressed enough': 'Das Bild lässt sich nicht genug verkleinern',
  'Image is damaged': 'Das Bild ist beschädigt',
  'An image may have at most 20 MB': 'Ein Bild darf höchstens 20 MB haben',
  'This account is suspended': 'Dieses Konto ist gesperrt',
  'You cannot suspend your own account': 'Das eigene Konto lässt sich nicht sperren',
  'Account is already suspended': 'Das Konto ist schon gesperrt',
  'Account is not suspended': 'Das Konto ist nicht gesperrt',
  'Account already has the plan {}': 'Das Konto hat diesen Tarif schon',
  'The account is not about to be deleted': 'Das Konto wird nicht gelöscht',

  'Your plan allows {} workspaces': 'Dein Tarif erlaubt {1} Arbeitsbereiche',
  'Your plan allows {} webhooks': 'Dein Tarif erlaubt {1} Webhooks',
  'Your plan allows {} links': 'Dein Tarif erlaubt {1} Kurzlinks',
  '{} allows {} notes in a workspace': 'Der Tarif erlaubt {2} Notizen je Arbeitsbereich',
  '{} allows {} collaborators': 'Der Tarif erlaubt {2} Mitwirkende je Arbeitsbereich',
  'Editors have deleted {} notes of this workspace, and only the owner can empty the trash':
    'Mitwirkende haben hier {1} Notizen gelöscht, und nur der Besitzer kann den Papierkorb leeren',
  'Content may have at most {} bytes in this workspace':
    'Eine Notiz darf hier höchstens {1} Bytes haben',
  'A file may have at most {} in this workspace': 'Eine Datei darf hier höchstens {1} haben',
  'The notes, versions and files of one owner may have at most {}':
    'Notizen, Versionen und Dateien eines Besitzers dürfen zusammen höchstens {1} haben',
  'The plan of the owner allows no more collaborators':
    'Der Tarif der Besitzerin oder des Besitzers erlaubt keine weiteren Mitwirkenden',
  'The plan of the new owner allows no more workspaces':
    'Der Tarif des neuen Kontos erlaubt keine weiteren Arbeitsbereiche',
  'Only its owner can move a note to the workspace of somebody else; copy it':
    'In den Arbeitsbereich von jemand anderem verschiebt nur, wem die Notiz gehört. Kopiere sie stattdessen.',
  'Your role in this workspace ({}) does not allow this':
    'Deine Rolle in diesem Arbeitsbereich erlaubt das nicht',
  'Transfer the workspace to give up its ownership':
    'Übertrage den Arbeitsbereich, um ihn abzugeben',
  'There is an invitation for this email address; send it again instead':
    'Diese Adresse ist schon eingeladen; sende die Einladung erneut',
  'This invitation is for another email address':
    'Diese Einladung gilt für eine andere E-Mail-Adresse',

  'Name is already taken by another tag': 'Diesen Namen hat schon ein anderes Schlagwort',
  'Slug is already taken': 'Dieser Kurzname ist vergeben',
  'URL must begin with http:// or https://': 'Die Adresse muss mit http:// oder https:// beginnen',
  'URL must not contain a username or password':
    'Die Adresse darf weder Benutzernamen noch Passwort enthalten',
  'URL must have at most {} characters': 'Die Adresse darf höchstens {1} Zeichen haben',
  '{} must be an https URL': 'Gib eine Adresse an, die mit https:// beginnt',
  '{} must be an http or https URL': 'Gib eine Adresse an, die mit http:// oder https:// beginnt',

  'Webhook is disabled, enable it first': 'Der Webhook ist abgeschaltet; schalte ihn zuerst ein',
  'Delivery is waiting for an attempt already': 'Diese Zustellung wartet schon auf einen Versuch',
  'Delivery has no body any more that could be sent':
    'Der Inhalt dieser Zustellung ist nicht mehr gespeichert',
  'Delivery has had its {} attempts': 'Diese Zustellung hatte ihre {1} Versuche',
  'A recovery of this webhook is running already': 'Für diesen Webhook wird schon nachgeholt',
  'Since must not be in the future': 'Der Zeitpunkt liegt in der Zukunft',
  'Since must not be before 1970': 'Der Zeitpunkt liegt vor 1970',
  'Url must be an absolute URL': 'Gib eine vollständige Adresse an',
  'Url must use https': 'Die Adresse muss mit https:// beginnen',
  'Url must not contain a user name or password':
    'Die Adresse darf weder Benutzernamen noch Passwort enthalten',
  'Url must not contain a fragment': 'Die Adresse darf kein # enthalten',
  'Url must not lead to a private or reserved address':
    'Die Adresse darf nicht in ein privates Netz führen',
  'Headers must be sent again when url changes its scheme, host or port':
    'Gib die Header erneut an, wenn sich der Server der Adresse ändert',
  'Headers must have names of letters, digits and hyphens':
    'Namen von Headern bestehen aus Buchstaben, Ziffern und Bindestrichen',
  'Headers must not set {}': 'Der Header {1} kann nicht gesetzt werden',
  'Headers must not name {} twice': 'Der Header {1} ist doppelt angegeben',
  'Headers must give {} a value of at most {} ASCII characters':
    'Der Header {1} braucht einen Wert aus höchstens {2} ASCII-Zeichen',
  'Headers must not be longer than {} characters':
    'Die Header dürfen zusammen höchstens {1} Zeichen haben',
  'Headers must not be more than {}': 'Höchstens {1} Header sind möglich',

  'The note has changed since you read it': 'Die Notiz wurde inzwischen geändert',
  'Another import into this workspace is in progress':
    'In diesen Arbeitsbereich wird schon etwas importiert',
  'An archive may have at most {} in this workspace':
    'Ein Archiv darf in diesem Arbeitsbereich höchstens {1} groß sein',
  'The archive has {} new notes; the plan of the owner allows {} in a workspace, and this one has {}':
    'Das Archiv hat {1} neue Notizen; der Tarif des Besitzers erlaubt {2} je Arbeitsbereich, und dieser hat {3}',
  'The archive has a link ({})': 'Das Archiv hat eine Verknüpfung ({1})',
  'The archive is encrypted ({})': 'Das Archiv ist verschlüsselt ({1})',
  'The archive has {} twice': 'Das Archiv hat {1} doppelt',
  'The archive has entries that overlap ({})': 'Einträge des Archivs überschneiden sich ({1})',
  'The archive has an entry with too many extra fields':
    'Ein Eintrag des Archivs hat zu viele Zusatzfelder',
  'The archive has a path that is too long': 'Ein Pfad im Archiv ist zu lang',
  'The archive has a path with control characters': 'Ein Pfad im Archiv enthält Steuerzeichen',
  'The archive has too many links': 'Das Archiv hat zu viele Links',
  'The archive has more than {} notes': 'Das Archiv hat mehr als {1} Notizen',
  'The archive has more than {} entries': 'Das Archiv hat mehr als {1} Einträge',
  'The archive has more than {} bytes unpacked': 'Das Archiv hat entpackt mehr als {1} Byte',
  'The archive is compressed so much that it looks like a zip bomb':
    'Das Archiv ist so stark komprimiert, dass es wie eine Zip-Bombe aussieht',
  'The archive is compressed in an unknown way ({})':
    'Das Archiv ist auf unbekannte Weise komprimiert ({1})',
  'The file is not a complete zip archive': 'Die Datei ist kein vollständiges Zip-Archiv',
  'The archive cannot be read: {}': 'Das Archiv kann nicht gelesen werden: {1}',
  'The archive could not be imported, please try again':
    'Das Archiv konnte nicht importiert werden; versuche es noch einmal',
  'The import was interrupted twice: please try a smaller archive':
    'Der Import wurde zweimal unterbrochen; versuche es mit einem kleineren Archiv',
  'You can no longer write in the workspace':
    'Du kannst in diesem Arbeitsbereich nicht mehr schreiben',
  'No note refers to it': 'Keine Notiz verweist darauf',
  'It is longer than a note may be': 'Sie ist länger, als eine Notiz sein darf',
  'It is in the trash of the workspace': 'Sie liegt im Papierkorb des Arbeitsbereichs',
  'It is not a text in UTF-8': 'Sie ist kein Text in UTF-8',
  'It has a NUL character': 'Sie hat ein NUL-Zeichen',
  'Its front matter is too long': 'Ihr Front Matter ist zu lang',
  'Its front matter is too complex': 'Ihr Front Matter ist zu komplex',
  'Its front matter is not valid YAML': 'Ihr Front Matter ist kein gültiges YAML',
  'Its front matter is not a list of properties':
    'Ihr Front Matter ist keine Liste von Eigenschaften',
  'A note may have at most {} bytes in this workspace':
    'Eine Notiz darf in diesem Arbeitsbereich höchstens {1} Byte haben',
  'The workspace has {} notes, the limit':
    'Der Arbeitsbereich hat {1} Notizen, so viele wie möglich',
  'The settings have changed since you read them': 'Die Einstellungen wurden inzwischen geändert',
  'Expires at must be in the future': 'Der Zeitpunkt muss in der Zukunft liegen',

  '{} not found': 'Das gibt es nicht oder nicht mehr',
} as const satisfies Record<string, string>;

/** A sentence that refuses something. It tells what was wrong, because the services send no code. */
export type Refusal = keyof typeof refusals;

const patterns = Object.entries(refusals).map(([sentence, ours]) => ({
  pattern: new RegExp(`^${sentence.split('{}').map(escaped).join('(.+?)')}$`, 's'),
  ours,
}));

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A sentence of a service in German; one that is not known stays as it is. */
export function translated(sentence: string): string {
  for (const { pattern, ours } of patterns) {
    const values = pattern.exec(sentence);
    if (values !== null)
      return ours.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '');
  }
  return sentence;
}
