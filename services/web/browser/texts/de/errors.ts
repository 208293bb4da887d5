import type { AtriumError, ErrorCode } from '@atrium/client';

/**
 * What the services refuse. `{}` stands for their sentence, where that has the facts, and `{most}` for the size
 * that it names.
 */
const germanErrors: Record<ErrorCode, string> = {
  'bad-request': 'Die Anfrage ist unvollständig ({})',
  'token-missing': 'Melde dich zuerst an',
  'token-invalid': 'Deine Sitzung ist nicht mehr gültig. Melde dich erneut an.',
  'token-expired': 'Deine Sitzung ist abgelaufen. Melde dich erneut an.',
  'session-ended': 'Die Sitzung ist beendet. Melde dich erneut an.',
  'credentials-wrong': 'E-Mail-Adresse oder Passwort ist falsch',
  'password-wrong': 'Das Passwort ist falsch',
  'second-factor-required': 'Der zweite Faktor fehlt',
  'code-wrong': 'Der Code ist falsch oder wurde schon benutzt',
  'passkey-refused': 'Der Passkey wurde nicht angenommen',
  'provider-login-expired':
    'Diese Anmeldung hat zu lange gewartet oder wurde in einem anderen Browser begonnen',
  'provider-email-unverified': 'Der Anbieter hat diese E-Mail-Adresse nicht bestätigt',
  'provider-account-exists':
    'Es gibt ein Konto mit dieser E-Mail-Adresse: melde dich dort an und verknüpfe es dann',
  'identity-taken': 'Ein anderes Konto ist schon damit verknüpft',
  'last-way-in': 'Es ist der einzige Weg hinein: setze zuerst ein Passwort',
  'login-expired': 'Die Anmeldung hat zu lange gedauert. Melde dich erneut an.',
  'login-again': 'Die Anwendung verlangt, dass du dich erneut anmeldest',
  'login-stronger': 'Die Anwendung verlangt eine Anmeldung mit zweitem Faktor',
  'share-locked': 'Diese Notiz öffnet sich erst mit ihrem Passwort',
  'secret-wrong': 'Das Geheimnis eines Dienstes fehlt oder ist falsch',
  'origin-not-allowed': 'Die Anmeldung lässt Seiten unter dieser URL nicht zu',
  'proof-required': 'Melde dich an oder gib das Passwort des Kontos an',
  forbidden: 'Deine Rolle in diesem Arbeitsbereich erlaubt das nicht',
  'owner-only':
    'In den Arbeitsbereich von jemand anderem verschiebt nur, wem die Notiz gehört. Kopiere sie stattdessen.',
  'invitation-of-another': 'Diese Einladung gilt für eine andere E-Mail-Adresse',
  'namespace-taken': 'Der erste Teil des Namens gehört einem anderen Konto oder Atrium',
  'recipient-unknown': 'Kein Konto wurde mit dieser externalId importiert',
  'recipient-not-allowed': 'Ereignisse dieses Produkts erreichen nur das eigene Konto',
  'own-account': 'Das eigene Konto lässt sich nicht sperren',
  'email-not-verified': 'Bestätige zuerst deine E-Mail-Adresse',
  'account-suspended': 'Dieses Konto ist gesperrt',
  'plan-limit-workspaces': 'Der Tarif erlaubt keine weiteren Arbeitsbereiche',
  'plan-limit-notes': 'Der Tarif erlaubt keine weiteren Notizen in diesem Arbeitsbereich',
  'plan-limit-size': 'Das ist größer, als der Tarif erlaubt ({most})',
  'plan-limit-storage':
    'Notizen, Versionen und Dateien brauchen zusammen mehr Platz, als der Tarif erlaubt',
  'plan-limit-collaborators': 'Der Tarif erlaubt keine weiteren Mitwirkenden',
  'plan-limit-links': 'Dein Tarif erlaubt keine weiteren Kurzlinks',
  'plan-limit-webhooks': 'Dein Tarif erlaubt keine weiteren Webhooks',
  'plan-limit-applications': 'Dein Tarif erlaubt keine weiteren Anwendungen',
  'trash-full':
    'Der Papierkorb ist voll, und nur der Besitzer kann ihn leeren; oder er fasst so viele Notizen nicht',
  'not-found': 'Das gibt es nicht oder nicht mehr',
  'authorization-expired':
    'Diese Anfrage ist abgelaufen oder wurde in einem anderen Browser begonnen',
  'share-expired': 'Dieser Link ist abgelaufen',
  'share-used-up': 'Dieser Link wurde so oft geöffnet, wie er darf',
  'username-taken': 'Dieser Benutzername ist vergeben',
  'slug-taken': 'Dieser Kurzname ist vergeben',
  'tag-taken': 'Diesen Namen hat schon ein anderes Schlagwort',
  'nothing-to-change': 'Das ist schon so',
  'authenticator-exists': 'Eine Authenticator-App ist schon eingerichtet',
  'passkey-exists': 'Dieser Passkey gehört schon zu deinem Konto',
  'too-many-passkeys': 'Mehr Passkeys kann ein Konto nicht haben',
  'too-many-tokens': 'Mehr Zugriffstoken kann ein Konto nicht haben',
  'too-many-secrets': 'Mehr Geheimnisse kann eine Anwendung nicht haben',
  'no-secrets': 'Eine Anwendung dieser Art kann kein Geheimnis bewahren',
  'insufficient-scope': 'Das Token wurde dafür nicht erstellt',
  'invitation-exists': 'Diese E-Mail-Adresse ist schon eingeladen; sende die Einladung erneut',
  'transfer-required': 'Übertrage den Arbeitsbereich, um ihn abzugeben',
  'import-running': 'Ein anderer Import läuft noch',
  'webhook-disabled': 'Der Webhook ist abgeschaltet; schalte ihn zuerst ein',
  'webhook-paused': 'Der Webhook ist angehalten; setze ihn zuerst fort',
  'nothing-waiting': 'Keine Zustellung wartet',
  'delivery-waiting': 'Diese Zustellung wartet schon auf einen Versuch',
  'delivery-without-body': 'Der Inhalt dieser Zustellung ist nicht mehr gespeichert',
  'delivery-spent': 'Diese Zustellung hatte alle ihre Versuche',
  'recovery-running': 'Für diesen Webhook wird schon nachgeholt',
  'event-id-used': 'Mit dieser Kennung gibt es ein Ereignis mit anderem Inhalt',
  'too-many-event-types':
    'Mehr Arten von Ereignissen oder erste Teile von Namen sind nicht möglich',
  'schema-incompatible': 'Wer die alte Fassung liest, könnte die neue nicht lesen ({})',
  'lease-ended': 'Die Zustellung wird schon anderswo weitergeleitet',
  'idempotency-key-in-use': 'Dieselbe Anfrage ist schon unterwegs',
  'precondition-failed': 'Das wurde inzwischen geändert',
  'precondition-required': 'Lies zuerst, was du ändern willst',
  'body-too-large': 'Das ist zu groß ({})',
  'media-type-unsupported': 'Diese Art von Datei ist nicht möglich ({})',
  'validation-failed': 'Eine Angabe ist nicht gültig ({})',
  'password-too-short': 'Dieses Passwort ist zu kurz',
  'password-too-common': 'Dieses Passwort gehört zu den häufigsten',
  'password-with-name':
    'Das Passwort darf weder deinen Namen noch deine E-Mail-Adresse noch den Namen dieses Produkts enthalten',
  'email-unchanged': 'Das ist schon die E-Mail-Adresse deines Kontos',
  'email-token-invalid': 'Der Link wurde schon benutzt oder ist zu alt',
  'passkey-unverified': 'Der Passkey ließ sich nicht prüfen. Versuche es erneut.',
  'image-unusable': 'Dieses Bild lässt sich nicht verwenden ({})',
  'redirect-url-missing':
    'Eine Anwendung, bei der man sich anmeldet, braucht eine URL für die Rückkehr',
  'url-not-allowed': 'Diese URL ist nicht möglich ({})',
  'headers-required': 'Gib die Header erneut an, wenn sich der Server der URL ändert',
  'credentials-required': 'Gib die Zugangsdaten erneut an, wenn sich der Server der URL ändert',
  'event-type-unknown': 'Diese Art von Ereignis gibt es nicht, oder sie ist archiviert ({})',
  'event-mismatch': 'Die Daten sind nicht so, wie das Schema es sagt ({})',
  'event-too-large': 'Ein Ereignis darf höchstens 262.144 Byte haben',
  'filter-unusable': 'Der Filter ist nicht verwendbar ({})',
  'schema-unusable': 'Das Schema ist nicht verwendbar ({})',
  'too-deep': 'Notizen lassen sich höchstens zehn Ebenen tief verschachteln',
  'parent-is-below': 'Eine Notiz kann nicht unter sich selbst liegen',
  'idempotency-key-reused': 'Der Schlüssel gehört schon zu einer anderen Anfrage',
  'too-many-requests': 'Zu viele Versuche. Warte etwas und versuche es erneut.',
  'internal-error': 'Der Fehler liegt bei uns. Versuche es erneut.',
  'outcome-unknown': 'Vielleicht hat es geklappt. Sieh nach, bevor du es erneut versuchst.',
  unavailable: 'Das geht gerade nicht. Versuche es gleich noch einmal.',
};

/** A rejection in German; one that is not known stays as the service says it. */
export function germanError({ code, message }: AtriumError): string {
  const known: Partial<Record<string, string>> = germanErrors;
  const ours = known[code ?? ''] ?? '{}';
  return ours.replace('{}', () => message).replace('{most}', () => sizeIn(message));
}

/** The size that a sentence like "A file may have at most 10 MB in this workspace" names. */
function sizeIn(message: string): string {
  const [, number, unit] = /at most (\d+) (\w+)/.exec(message) ?? [];
  if (unit === undefined) return message;
  return `höchstens ${Number(number).toLocaleString('de')}\u{A0}${unit === 'bytes' ? 'Byte' : unit}`;
}
