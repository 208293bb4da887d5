import type { SignedInTexts } from '../en/signed-in.ts';

export const members: SignedInTexts['members'] = {
  title: 'Mitglieder',
  titleOf: (workspace) => `Mitglieder von ${workspace}`,
  explanation: 'Wer bearbeitet, liest und schreibt die Notizen; alle anderen lesen sie.',
  unknown: 'Unbekanntes Mitglied',
  you: (name) => `${name} (du)`,
  joined: 'Beigetreten',
  role: 'Rolle',
  roleOf: (name) => `Rolle von ${name}`,
  roles: { owner: 'Besitz', editor: 'Bearbeiten', viewer: 'Lesen' },
  changed: {
    editor: (name) => `${name} kann jetzt schreiben`,
    viewer: (name) => `${name} kann jetzt nur noch lesen`,
  },
  actions: (name) => `Aktionen für ${name}`,
  remove: {
    item: 'Entfernen',
    title: (name, workspace) => `${name} aus ${workspace} entfernen?`,
    explanation: (name) =>
      `${name} verliert sofort den Zugang. Geschriebenes bleibt. Für die Rückkehr braucht es eine neue Einladung.`,
    submit: 'Entfernen',
    done: (name) => `${name} ist entfernt`,
  },
  leave: {
    item: 'Verlassen',
    title: (_name, workspace) => `${workspace} verlassen?`,
    explanation: () =>
      'Du verlierst sofort den Zugang zu seinen Notizen. Was du geschrieben hast, bleibt. Für die Rückkehr brauchst du eine neue Einladung.',
    submit: 'Arbeitsbereich verlassen',
    done: (_name, workspace) => `Du hast ${workspace} verlassen`,
  },
  transfer: {
    item: 'Arbeitsbereich übertragen',
    title: (name, workspace) => `${workspace} an ${name} übertragen?`,
    explanation: (name) =>
      `Ab dann kann nur ${name} Mitglieder verwalten, den Papierkorb leeren und den Arbeitsbereich löschen, und es gelten die Grenzen des Tarifs von ${name}. Du kannst weiter schreiben. Nur ${name} kann ihn zurückgeben.`,
    submit: 'Arbeitsbereich übertragen',
    done: (name, workspace) => `${workspace} gehört jetzt ${name}`,
  },
  invitations: {
    title: 'Einladungen',
    hint: 'Der Link in der E-Mail gilt einmal, 7 Tage lang, für ein Konto mit dieser E-Mail-Adresse.',
    needsEmail: 'Bevor du jemanden einlädst:',
    submit: 'Einladen',
    full: 'Entferne ein Mitglied oder widerrufe eine Einladung, bevor du jemand anderen einlädst.',
    sent: (email) => `Die Einladung an ${email} ist unterwegs`,
    expires: 'Läuft ab',
    expired: 'Abgelaufen',
    resend: 'Erneut senden',
    resendTo: (email) => `Erneut senden: Einladung an ${email}`,
    revoke: 'Widerrufen',
    revokeOf: (email) => `Widerrufen: Einladung an ${email}`,
    revokeTitle: (email) => `Einladung an ${email} widerrufen?`,
    revokeExplanation: 'Der Link in der E-Mail gilt dann nicht mehr.',
    revokeSubmit: 'Einladung widerrufen',
    revoked: (email) => `Die Einladung an ${email} ist widerrufen`,
  },
  readOnly: {
    badge: 'Nur lesen',
    explanation:
      'Du kannst hier nur lesen. Wem der Arbeitsbereich gehört, kann dir das Schreiben erlauben.',
    members: 'Mitglieder zeigen',
  },
};
