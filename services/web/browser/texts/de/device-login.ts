import type { OtherPageTexts } from '../en/other-pages.ts';

export const deviceLogin: OtherPageTexts['deviceLogin'] = {
  title: 'Gerät anmelden',
  example: 'WDJB-MJHT',
  enter: 'Gib den Code ein, den das Gerät zeigt.',
  code: 'Code',
  next: 'Weiter',
  unknown:
    'Dieser Code gilt nicht. Prüfe ihn; wenn er schon benutzt wurde oder älter als zehn Minuten ist, starte die Anmeldung am Gerät neu.',
  explanation: (email) =>
    `Das Gerät bekommt Zugriff auf dein Konto ${email}. Bestätige nur, wenn du diese Anmeldung eben selbst gestartet hast und das Gerät denselben Code zeigt.`,
  application: 'Anwendung',
  device: 'Gerät',
  network: 'Netz',
  started: 'Gestartet',
  confirm: 'Bestätigen',
  deny: 'Ablehnen',
  confirmed: {
    title: 'Anmeldung bestätigt',
    explanation:
      'Geh zurück zum Gerät: es ist in wenigen Sekunden angemeldet. Unter Anwendungen kannst du es wieder abmelden.',
  },
  denied: {
    title: 'Anmeldung abgelehnt',
    explanation: 'Das Gerät hat keinen Zugriff auf dein Konto. Mehr ist nicht nötig.',
  },
};
